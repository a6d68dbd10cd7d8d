// SPDX-License-Identifier: Apache-2.0
// Test fixtures of the driver: a hub with the built-in agent over a real socket, a scripted model and scripted tools.
#pragma once

#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/driver/gorpc/agent_via_gorpc.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/test_support.h"
#include "parlance/protocol/gorpc/server.h"
#include "parlance/server/agent/agent_over_gorpc.h"
#include "parlance/transport/sockets.h"

namespace parlance::driver::test {

class SeeingModel final : public model::Model {
 public:
  Task<Result<model::Completion>> chat(model::ChatRequest request, model::ChunkSink&) override {
    asked.push_back(std::move(request));
    if (asked.size() == silent_at) co_await std::suspend_always{};
    model::Completion completion{.content = "done"};
    if (!script.empty()) {
      completion = script.front();
      script.erase(script.begin());
    } else if (calls-- > 0) completion = {.tool_calls = {{.id = "c" + std::to_string(calls), .name = "none", .arguments = "{}"}}};
    co_return completion;
  }
  std::string_view name() const override { return "seeing"; }
  bool shows(const model::Attachment& attachment, std::string_view) const override { return attachment.media_type == shown; }
  std::string shown = "image/png";
  int calls = 0;
  std::size_t silent_at = 0;              // number of the request without an answer; 0: none
  std::vector<model::Completion> script;  // its first answers
  std::vector<model::ChatRequest> asked;
};

struct NoTools final : hub::Tools {
  std::vector<hub::ToolSpec> list() const override { return {}; }
  Task<Result<hub::ToolIntent>> intent(const hub::SessionSetup&, const hub::ToolCall&) override {
    if (samples) co_return hub::ToolIntent{.kind = hub::ToolKind::other, .title = "asks"};
    if (looks) co_return hub::ToolIntent{.kind = hub::ToolKind::read, .title = "looks", .placeless = true};
    co_return fail(Errc::not_found, "no such tool");
  }
  Task<hub::ToolOutcome> call(const hub::SessionSetup&, const hub::ToolCall& call, hub::ToolHost host) override {
    ran.push_back(call.tool);
    if (!pictures.empty()) co_return hub::ToolOutcome{.text = "taken", .pictures = pictures};
    if (!host.sample) co_return hub::ToolOutcome{};
    host.progress("half");
    const auto said = co_await host.sample({.messages = {{.text = "2 + 2?"}}, .system = "Be brief.", .max_tokens = 7});
    co_return hub::ToolOutcome{.text = said ? said->text : said.error().message};
  }
  bool samples = false;                   // its tool sends a request to the model
  bool looks = false;                     // its tools need no permission
  std::vector<hub::Attachment> pictures;  // of each result
  std::vector<std::string> ran;
};

class GorpcBench : public ::testing::Test {
 protected:
  GorpcBench() : folder_((std::filesystem::temp_directory_path() / "parlance-XXXXXX").string()) {
    if (::mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("no folder for the test");
    auto made = std::make_unique<SeeingModel>();
    model = made.get();
    agent.emplace(loop, std::move(made), nullptr);
  }
  ~GorpcBench() override {
    hub.reset();
    link.reset();
    listener.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  // `knows`: the built-in agent; otherwise an agent with Chat alone.
  void serve(bool knows) {
    if (knows) {
      server::serve_agent(router, {.loop = loop, .agent = &*agent, .streams = streams});
    } else {
      gorpc::serve_method(router, gorpc::chat, [this](gorpc::ChatArgs args, Context&) -> Result<gorpc::ChatReply> {
        old_asked.push_back(std::move(args));
        return old_answer;
      });
      gorpc::explain_unknown_methods(router);
    }
    const std::string address = folder_ + "/agent.sock";
    auto listening = listen_unix(loop, address, [this](std::unique_ptr<ByteStream> stream) { server.serve(std::move(stream)); });
    ASSERT_TRUE(listening) << listening.error().message;
    listener = *std::move(listening);
    link.emplace(loop, address, [this](AgentLink::State, const std::string&) { ++changes; });
    hub.emplace(loop, store, hub::HubSettings{.editor = [this](const hub::SessionSetup&) { return editor.get(); }});
    hub->add_agent(agent_via_gorpc(loop, *link, tools, settings));
    ASSERT_TRUE(loop.block_on(hub->start()));
    id = hub::test::create(loop, *hub, {.agent = "parlance", .folder = "/project"});
  }
  void prompt(std::string text, hub::PromptOptions options = {}, std::vector<hub::Attachment> attachments = {}) {
    ASSERT_TRUE(loop.block_on(hub->submit(
        id, hub::SendPrompt{.text = std::move(text), .options = std::move(options), .attachments = std::move(attachments)})));
    loop.run_until([&] { return hub::test::is_idle(*hub, id); });
    ASSERT_TRUE(hub::test::is_idle(*hub, id));
  }
  std::vector<hub::event::Failure> failures() {
    std::vector<hub::event::Failure> found;
    for (const hub::Event& event : store.logs[id])
      if (const auto* failure = std::get_if<hub::event::Failure>(&event.body)) found.push_back(*failure);
    return found;
  }

  // Answers each request with this option while the prompt runs.
  void prompt_and_answer(std::string text, std::string option) {
    ASSERT_TRUE(loop.block_on(hub->submit(id, hub::SendPrompt{.text = std::move(text)})));
    while (loop.run_until([&] { return hub::test::is_idle(*hub, id) || !open_asks(*hub).empty(); }) &&
           !hub::test::is_idle(*hub, id))
      for (const hub::Ask& ask : open_asks(*hub)) {
        asked.push_back(ask);
        ASSERT_TRUE(loop.block_on(hub->submit(
            ask.conversation, hub::AnswerRequest{.request = ask.id, .answer = {.digest = ask.digest, .option = option}})));
      }
    ASSERT_TRUE(hub::test::is_idle(*hub, id));
  }
  template <class Kind>
  std::vector<Kind> events() {
    std::vector<Kind> found;
    for (const hub::Event& event : store.logs[id])
      if (const auto* match = std::get_if<Kind>(&event.body)) found.push_back(*match);
    return found;
  }

  std::string folder_;
  Loop loop;
  GorpcAgentSettings settings;
  std::vector<hub::Ask> asked;
  SeeingModel* model = nullptr;
  std::optional<agent::ChatAgent> agent;
  server::ChatStreams streams{loop};
  Router router;
  gorpc::Server server{loop, router};
  std::unique_ptr<Listener> listener;
  std::vector<gorpc::ChatArgs> old_asked;
  gorpc::ChatReply old_answer{.content = "done"};
  NoTools tools;
  hub::test::MemoryStore store{loop};
  std::optional<AgentLink> link;
  std::unique_ptr<hub::Editor> editor;
  int changes = 0;  // changes reported by the link
  std::optional<hub::Hub> hub;
  std::string id;
};

}  // namespace parlance::driver::test
