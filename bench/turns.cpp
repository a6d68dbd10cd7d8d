// What does a turn cost in a conversation that has had many?
//
//   turns FOLDER [MOST]     one conversation of MOST turns (10,000), its store on disk, our agent behind a Unix socket with a model that
//                           answers at once; prints the processor time of a turn at its beginning, after 1,000 and after MOST turns,
//                           beside the same with an agent that takes no history, which is what the hub and its store cost
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "measure.h"
#include "parlance/agent/agent.h"
#include "parlance/driver/gorpc/agent_via_gorpc.h"
#include "parlance/hub/follower.h"
#include "parlance/hub/hub.h"
#include "parlance/protocol/gorpc/server.h"
#include "parlance/server/agent/agent_over_gorpc.h"
#include "parlance/store/hub/hub_sqlite.h"
#include "parlance/transport/sockets.h"

namespace parlance {
namespace {

using namespace bench;

constexpr std::size_t text_bytes = 200;     // of a prompt, and of an answer
constexpr std::size_t turns_measured = 50;  // at each place: their median

class PromptModel final : public model::Model {
 public:
  Task<Result<model::Completion>> chat(model::ChatRequest, model::ChunkSink&) override {
    co_return model::Completion{.content = std::string(text_bytes, 'a')};
  }
  std::string_view name() const override { return "prompt"; }
};

struct NoTools final : hub::Tools {
  std::vector<hub::ToolSpec> list() const override { return {}; }
  Task<Result<hub::ToolIntent>> intent(const hub::Conversation&, const hub::ToolCall&) override {
    co_return fail(Errc::not_found, "no such tool");
  }
  Task<hub::ToolOutcome> call(const hub::Conversation&, const hub::ToolCall&, hub::ToolHost) override {
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
  Task<Result<std::unique_ptr<hub::Agent>>> open(hub::Conversation, hub::AgentHost) override {
    co_return std::make_unique<PlainAgent>();
  }
};

Task<void> one_turn(hub::Hub& hub, hub::Follower& follower, std::string conversation) {
  if (const auto begun = co_await hub.prompt(std::move(conversation), std::string(text_bytes, 'p')); !begun)
    give_up(begun.error().message);
  for (;;) {
    const auto news = co_await follower.next();
    if (!news) give_up(news.error().message);
    for (const hub::EventPtr& event : news->events) {
      if (const auto* failure = std::get_if<hub::event::Failure>(&event->body)) give_up(failure->message);
      if (std::holds_alternative<hub::event::TurnEnd>(event->body)) co_return;
    }
  }
}

// Milliseconds of processor, all threads of this process.
Task<std::vector<double>> turns(hub::Hub& hub, std::string agent, std::size_t most) {
  const auto made = co_await hub.create({.agent = std::move(agent), .folder = "/"});
  if (!made) give_up(made.error().message);
  hub::Follower follower(hub, made->id, 0);
  std::vector<double> cost;
  for (std::size_t i = 0; i < most + turns_measured; ++i) {
    const double before = cpu_seconds(RUSAGE_SELF);
    co_await one_turn(hub, follower, made->id);
    cost.push_back((cpu_seconds(RUSAGE_SELF) - before) * 1e3);
  }
  co_return cost;
}

double median_at(const std::vector<double>& cost, std::size_t first) {
  std::vector<double> part(cost.begin() + static_cast<std::ptrdiff_t>(first),
                           cost.begin() + static_cast<std::ptrdiff_t>(first + turns_measured));
  std::ranges::nth_element(part, part.begin() + turns_measured / 2);
  return part[turns_measured / 2];
}

void print(const char* what, const std::vector<double>& cost, std::size_t most) {
  const double first = median_at(cost, 1);  // the very first opens the agent
  const double middle = median_at(cost, std::min<std::size_t>(1000, most));
  const double last = median_at(cost, most);
  std::printf("%-28s first %.3f ms, after 1,000 turns %.3f ms (%.2fx), after %zu turns %.3f ms (%.2fx)\n", what, first, middle,
              middle / first, most, last, last / first);
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
  print("hub and store alone", loop.block_on(turns(hub, "plain", most)), most);
  print("with our agent and history", loop.block_on(turns(hub, "parlance", most)), most);
  loop.block_on(hub.stop_all());
}

}  // namespace
}  // namespace parlance

int main(int argc, char** argv) {
  if (argc < 2) parlance::bench::give_up("usage: turns FOLDER [MOST]");
  std::filesystem::create_directories(argv[1]);
  parlance::measure(argv[1], argc > 2 ? static_cast<std::size_t>(std::atoll(argv[2])) : 10'000);
}
