// A client behind a WebSocket that is there no more, without a word.
#include "parlance/face/acp/test_support.h"
#include "parlance/transport/http/websocket_frames.h"

namespace parlance::face {
namespace {

using namespace std::chrono_literals;

TEST_F(HubOverAcp, AClientThatAnswersNoPingIsGoneAndItsTurnIsLeftToTheOthers) {
  make_face(false);
  hub::test::Gate gate(bench.loop);
  bench.script = hub::test::ends_after(gate);
  auto [near, far] = memory_pair(bench.loop, {.capacity = 1 << 20});
  Router router;
  Peer peer(bench.loop, websocket_frames(bench.loop, std::move(near), {.role = websocket::Role::client, .ping = 0s}),
            acp::dialect(acp::Side::client, acp::Flavour::standard), router);
  Scope scope(bench.loop);
  Scope::Handle reading = scope.start([](Peer& one) -> Task<void> { static_cast<void>(co_await one.run()); }(peer));
  scope.start(face->serve(websocket_frames(bench.loop, std::move(far), {.role = websocket::Role::server, .ping = 30s}),
                          acp::Flavour::standard));
  const auto call = [&](const auto& method, auto parameters) {
    return bench.loop.block_on([](Peer& one, const auto& what, auto with) -> Task<Result<void>> {
      auto answer = co_await one.call(what, std::move(with), no_deadline);
      if (!answer) co_return std::unexpected(answer.error());
      co_return Result<void>{};
    }(peer, method, std::move(parameters)));
  };
  ASSERT_TRUE(call(acp::method::initialize, acp::InitializeParams{.protocol_version = 1}));
  ASSERT_TRUE(call(acp::method::new_session, acp::NewSession{.cwd = "/tmp"}));
  const std::string id = bench.hub->snapshot().conversations.front().id;
  scope.start([](Peer& one, std::string session) -> Task<void> {
    static_cast<void>(co_await one.call(acp::method::prompt, TestClient::words(session, "go"), no_deadline));
  }(peer, id));
  settle();
  EXPECT_EQ(bench.hub->find(id)->state, hub::ConversationState::running);
  reading.cancel();
  bench.loop.advance(3min);
  settle();
  EXPECT_EQ(face->connections(), 0U);
  EXPECT_EQ(bench.hub->find(id)->state, hub::ConversationState::running) << "nobody has stopped it";
  gate.release();
  settle();
  EXPECT_THAT(bench.trace(id), testing::EndsWith("turn_end"));
}

}  // namespace
}  // namespace parlance::face
