// SPDX-License-Identifier: Apache-2.0
// An agent behind a WebSocket vanishes silently: its machine failed, or a cable broke.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/driver/acp/test_support.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/transport/http/websocket_frames.h"

namespace parlance::driver {
namespace {

using namespace std::chrono_literals;
using test::AcpBench;
using ::testing::HasSubstr;

// Agents on WebSockets in memory that can stop reading and answering.
struct SocketBench : AcpBench {
  struct Reached {
    std::unique_ptr<Peer> peer;
    Scope::Handle run;
  };
  SocketBench() {
    settings.connect = [this]() -> Task<Result<std::unique_ptr<Frames>>> {
      auto [near, far] = memory_pair(loop, {.capacity = 1 << 20});
      Reached& side = reached.emplace_back();
      side.peer =
          std::make_unique<Peer>(loop, websocket_frames(loop, std::move(far), {.role = websocket::Role::server, .ping = 0s}),
                                 acp::dialect(acp::Side::agent, acp::Flavour::standard), router);
      side.run = scope.start([](Peer& peer) -> Task<void> { static_cast<void>(co_await peer.run()); }(*side.peer));
      co_return websocket_frames(loop, std::move(near), {.role = websocket::Role::client, .ping = 30s});
    };
    restart();
  }
  ~SocketBench() {
    hub.reset();
    settle();
    scope.cancel();
    reached.clear();
  }
  std::vector<Reached> reached;
};

TEST(AcpHalfOpen, AnAgentThatAnswersNoPingIsGivenUpAndTheNextPromptReachesAnother) {
  SocketBench bench;
  bench.agent_script.prompt = [&bench](const acp::Prompt&, Peer&) -> Task<Result<acp::PromptResult>> {
    co_await bench.agent_script.proceed.wait();
    co_return acp::PromptResult{};
  };
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  bench.loop.advance(10min);
  EXPECT_EQ(bench.hub->find(id)->state, hub::ConversationState::running) << "a long turn is no dead agent";
  bench.reached.front().run.cancel();
  bench.loop.advance(3min);
  bench.settle();
  EXPECT_THAT(bench.trace(id), HasSubstr("error turn_end:error"));
  EXPECT_THAT(bench.events<hub::event::Failure>(id).back().message, HasSubstr("answers no ping"));
  bench.agent_script.prompt = {};
  bench.begin(id, "again");
  EXPECT_EQ(bench.reached.size(), 2U) << "the dead one is not used again";
}

}  // namespace
}  // namespace parlance::driver
