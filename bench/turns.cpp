// SPDX-License-Identifier: Apache-2.0
// Measures a turn in a conversation with many earlier turns.
//
//   turns FOLDER [MOST]     Conversations with MOST turns (10,000), with 1,000 turns and without turns. The store is on disk, our agent
//                           is behind a Unix socket, and its model answers at once. Prints the processor time of a turn of each
//                           conversation, also with an agent without history, for the cost of hub and store.
//
// The three conversations alternate, so that changes of the machine's speed affect all equally.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "measure.h"
#include "parlance/agent/agent.h"
#include "parlance/driver/gorpc/agent_via_gorpc.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/follower.h"
#include "parlance/hub/hub.h"
#include "parlance/protocol/gorpc/server.h"
#include "parlance/server/agent/agent_over_gorpc.h"
#include "parlance/store/hub/hub_sqlite.h"
#include "parlance/transport/sockets.h"

namespace parlance {
namespace {

using namespace bench;

constexpr std::size_t text_bytes = 200;      // of a prompt, and of an answer
constexpr std::size_t turns_measured = 101;  // of each conversation: their median
constexpr std::size_t middle = 1000;

class PromptModel final : public model::Model {
 public:
  Task<Result<model::Completion>> chat(model::ChatRequest, model::ChunkSink&) override {
    co_return model::Completion{.content = std::string(text_bytes, 'a')};
  }
  std::string_view name() const override { return "prompt"; }
};

struct NoTools final : hub::Tools {
  std::vector<hub::ToolSpec> list() const override { return {}; }
  Task<Result<hub::ToolIntent>> intent(const hub::SessionSetup&, const hub::ToolCall&) override {
    co_return fail(Errc::not_found, "no such tool");
  }
  Task<hub::ToolOutcome> call(const hub::SessionSetup&, const hub::ToolCall&, hub::ToolHost) override {
    co_return hub::ToolOutcome{};
  }
};

class PlainAgent final : public hub::Agent {
 public:
  Task<Result<hub::StopReason>> prompt(hub::Turn& turn, hub::Prompt) override {
    turn.emit(hub::event::Text{std::string(text_bytes, 'a')});
    co_return hub::StopReason::end_turn;
  }
  void cancel() override {}
  Task<Result<void>> set_mode(hub::Mode) override { co_return Result<void>{}; }
  Task<Result<void>> set_model(std::string) override { co_return Result<void>{}; }
  Task<Result<void>> set_think(bool) override { co_return Result<void>{}; }
  Task<void> close() override { co_return; }
};

class PlainProvider final : public hub::AgentProvider {
 public:
  hub::AgentInfo info() const override { return {.id = "plain", .name = "plain"}; }
  Task<Result<std::unique_ptr<hub::Agent>>> open(hub::SessionSetup, hub::AgentHost) override {
    co_return std::make_unique<PlainAgent>();
  }
};

Task<void> one_turn(hub::Hub& hub, hub::Follower& follower, std::string conversation) {
  if (const auto begun = co_await hub.submit(std::move(conversation), hub::SendPrompt{.text = std::string(text_bytes, 'p')});
      !begun)
    give_up(begun.error().message);
  for (;;) {
    const auto batch = co_await follower.next();
    if (!batch) give_up(batch.error().message);
    for (const hub::EventPtr& event : batch->events) {
      if (const auto* failure = std::get_if<hub::event::Failure>(&event->body)) give_up(failure->message);
      if (std::holds_alternative<hub::event::TurnEnd>(event->body)) co_return;
    }
  }
}

// A conversation with this number of turns, and the cost of further turns.
class Talk {
 public:
  Talk(hub::Hub& hub, std::string id) : hub_(hub), id_(std::move(id)), follower_(hub, id_, 0) {}

  Task<void> turns(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) co_await one_turn(hub_, follower_, id_);
  }
  // Milliseconds of processor, all threads of this process.
  Task<void> measured_turn() {
    const double before = cpu_seconds(RUSAGE_SELF);
    co_await one_turn(hub_, follower_, id_);
    cost_.push_back((cpu_seconds(RUSAGE_SELF) - before) * 1e3);
  }
  double median() {
    const auto half = cost_.begin() + static_cast<std::ptrdiff_t>(cost_.size() / 2);
    std::ranges::nth_element(cost_, half);
    return *half;
  }

 private:
  hub::Hub& hub_;
  std::string id_;
  hub::Follower follower_;
  std::vector<double> cost_;
};

Task<std::unique_ptr<Talk>> talk_of(hub::Hub& hub, std::string agent, std::size_t turns) {
  const auto made = co_await hub.create({.agent = std::move(agent), .folder = "/"});
  if (!made) give_up(made.error().message);
  auto talk = std::make_unique<Talk>(hub, made->id);
  co_await talk->turns(turns);
  co_return talk;
}

Task<void> compare(const char* what, hub::Hub& hub, std::string agent, std::size_t most) {
  const auto old = co_await talk_of(hub, agent, most);
  const auto grown = co_await talk_of(hub, agent, std::min(middle, most));
  const auto fresh = co_await talk_of(hub, agent, 1);  // the very first opens the agent
  for (std::size_t i = 0; i < turns_measured; ++i) {
    co_await fresh->measured_turn();
    co_await grown->measured_turn();
    co_await old->measured_turn();
  }
  const double first = fresh->median();
  std::printf("%-28s first %.3f ms, after 1,000 turns %.3f ms (%.2fx), after %zu turns %.3f ms (%.2fx)\n", what, first,
              grown->median(), grown->median() / first, most, old->median(), old->median() / first);
}

void measure(const std::string& folder, std::size_t most) {
  Loop loop;
  agent::ChatAgent answering(loop, std::make_unique<PromptModel>(), nullptr);
  server::ChatStreams streams{loop};
  Router router;
  server::serve_agent(router, {.loop = loop, .agent = &answering, .streams = streams});
  gorpc::Server server{loop, router};
  const std::string address = folder + "/agent.sock";
  auto listening = listen_unix(loop, address, [&](std::unique_ptr<ByteStream> stream) { server.serve(std::move(stream)); });
  if (!listening) give_up(listening.error().message);
  driver::AgentLink link(loop, address);
  NoTools tools;
  store::HubSqlite store(loop, folder);
  hub::Hub hub(loop, store);
  hub.add_agent(driver::agent_via_gorpc(loop, link, tools, {}));
  hub.add_agent(std::make_unique<PlainProvider>());
  if (const auto started = loop.block_on(hub.start()); !started) give_up(started.error().message);
  loop.block_on(compare("hub and store alone", hub, "plain", most));
  loop.block_on(compare("with our agent and history", hub, "parlance", most));
  loop.block_on(hub.stop_all());
}

}  // namespace
}  // namespace parlance

int main(int argc, char** argv) {
  if (argc < 2) parlance::bench::give_up("usage: turns FOLDER [MOST]");
  std::filesystem::create_directories(argv[1]);
  parlance::measure(argv[1], argc > 2 ? static_cast<std::size_t>(std::atoll(argv[2])) : 10'000);
}
