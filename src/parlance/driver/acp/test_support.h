// SPDX-License-Identifier: Apache-2.0
// Test fixtures of the driver: a hub with a scripted ACP agent, joined in memory, on a virtual clock.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "parlance/driver/acp/agent_via_acp.h"
#include "parlance/hub/test_support.h"
#include "parlance/protocol/acp/test_support.h"

namespace parlance::driver::test {

struct AcpBench : hub::test::Bench {
  explicit AcpBench(AcpAgentSettings wanted = {}) : agent_script(loop), settings(std::move(wanted)), scope(loop) {
    acp::test::serve(router, agent_script);
    settings.name = "Tester";
    settings.modes.asks_always = true;  // no warning in other tests
    settings.history_quiet = {};        // … and no wait for late history
    settings.connect = [this] { return connect(settings.flavour); };
    restart();
  }
  ~AcpBench() {
    hub.reset();
    settle();
    scope.cancel();
    links.clear();
  }

  // Restarts the program on the same store.
  void restart() {
    hub.reset();
    settle();
    begin_hub();
  }
  std::string acp_conversation(hub::Mode mode = hub::Mode::default_) {
    return hub::test::create(loop, *hub, {.agent = "acp", .folder = "/project", .mode = mode});
  }
  void settle() {
    while (loop.run_ready()) {}
  }
  // Runs a prompt up to the first question to a person.
  void begin(const std::string& id, std::string text = "hello") {
    prompt(id, std::move(text));
    settle();
  }
  hub::Ask asked() {
    settle();
    const auto asks = open_asks(*hub);
    PARLANCE_CHECK(asks.size() == 1, "one open ask");
    return asks.front();
  }
  void choose(const hub::Ask& ask, std::string option, std::string text = {}) {
    const auto done = loop.block_on(
        hub->submit(ask.conversation,
                    hub::AnswerRequest{.request = ask.id,
                                       .answer = {.digest = ask.digest, .option = std::move(option), .text = std::move(text)}}));
    PARLANCE_CHECK(done, "an answer that is taken");
    settle();
  }
  template <class Kind>
  std::vector<Kind> events(const std::string& id) const {
    std::vector<Kind> found;
    if (const auto log_of = store.logs.find(id); log_of != store.logs.end())
      for (const hub::Event& event : log_of->second)
        if (const auto* match = std::get_if<Kind>(&event.body)) found.push_back(*match);
    return found;
  }
  std::string said(const std::string& id) const {
    std::string all;
    for (const auto& text : events<hub::event::Text>(id)) all += text.text;
    return all;
  }
  void cut() { links.back()->close(); }

  acp::test::Script agent_script;
  Router router;
  std::vector<std::unique_ptr<Peer>> links;  // one for each connection
  AcpAgentSettings settings;
  std::function<std::unique_ptr<Frames>(std::unique_ptr<Frames>)> wrap{};  // wraps this side of every connection
  Scope scope;

 private:
  void begin_hub() {
    int* counter = &ids;
    hub = std::make_unique<hub::Hub>(loop, store, hub::HubSettings{.new_id = [counter](std::string_view prefix) {
                                       return std::string(prefix) + std::to_string(++*counter);
                                     }});
    hub->add_agent(agent_via_acp(loop, settings));
    PARLANCE_CHECK(loop.block_on(hub->start()), "a hub that starts");
  }
  Task<Result<std::unique_ptr<Frames>>> connect(acp::Flavour flavour) {
    auto [near, far] = memory_pair(loop, {.capacity = 1 << 20});
    links.push_back(std::make_unique<Peer>(loop, framed_stream(loop, std::move(far), line_framing()),
                                           acp::dialect(acp::Side::agent, flavour), router));
    scope.start([](Peer& link) -> Task<void> { static_cast<void>(co_await link.run()); }(*links.back()));
    if (flavour == acp::Flavour::iflow) static_cast<void>(links.back()->notify(acp::method::iflow_ready, {}));
    auto frames = framed_stream(loop, std::move(near), line_framing());
    co_return wrap ? wrap(std::move(frames)) : std::move(frames);
  }
};

// A turn of the agent that sends these updates, each as JSON.
inline auto sends(std::vector<std::string> updates) {
  return [updates = std::move(updates)](const acp::Prompt& prompt, Peer& agent) -> Task<Result<acp::PromptResult>> {
    for (const std::string& text : updates) {
      auto update = json::from_text<acp::Update>(text);
      PARLANCE_CHECK(update, "an update");
      static_cast<void>(agent.notify(acp::method::update, {.session_id = prompt.session_id, .update = *std::move(update)}));
    }
    co_return acp::PromptResult{};
  };
}

}  // namespace parlance::driver::test
