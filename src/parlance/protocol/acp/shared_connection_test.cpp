// SPDX-License-Identifier: Apache-2.0
// Clients that share a connection to an agent, joined in memory: each receives its own messages, and loses none because of the
// others.
#include "parlance/protocol/acp/shared_connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/protocol/acp/test_support.h"

namespace parlance::acp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// An agent with a session for each client, and clients of a common connection.
struct SharedConnectionTest : ::testing::Test {
  struct User {
    explicit User(Loop& loop, std::unique_ptr<Frames> frames) : client(loop, std::move(frames), handler), scope(loop) {
      scope.start([](User& self) -> Task<void> { self.ended = co_await self.client.run(); }(*this));
    }
    test::RecordingHandler handler;
    Client client;
    std::optional<Error> ended;
    Scope scope;
  };

  SharedConnectionTest() {
    router.on_unknown(unknown_method);
    router.on(method::initialize, [this](const InitializeParams&, Context&) -> Result<InitializeResult> {
      ++initialized;
      return InitializeResult{.protocol_version = 1};
    });
    router.on(method::new_session, [this](const NewSession&, Context&) -> Result<SessionState> {
      return SessionState{.session_id = "s-" + std::to_string(++sessions)};
    });
    router.on(method::close_session, [this](const OfSession& request, Context&) -> Result<EmptyReply> {
      closed.push_back(request.session_id);
      return EmptyReply{};
    });
    router.on(method::prompt, [this](Prompt& prompt, Context& context) -> Task<Result<PromptResult>> {
      const std::string session = prompt.session_id;
      static_cast<void>(context.peer.notify(method::update, test::said("to " + session, session)));
      if (asks) {
        auto answer = co_await context.peer.call(method::request_permission, {.session_id = session}, no_deadline);
        answers.push_back(answer ? "answered" : answer.error().message);
      }
      if (waits) co_await proceed.wait();
      co_return PromptResult{};
    });
    auto [near, far] = memory_pair(loop, {.capacity = 1 << 20});
    agent = std::make_unique<Peer>(loop, framed_stream(loop, std::move(far), line_framing()), dialect(Side::agent), router);
    scope.start([](Peer& peer) -> Task<void> { static_cast<void>(co_await peer.run()); }(*agent));
    shared = std::make_unique<SharedConnection>(loop, framed_stream(loop, std::move(near), line_framing()));
    first = std::make_unique<User>(loop, shared->first());
    scope.start([](SharedConnectionTest& self) -> Task<void> { self.end = co_await self.shared->run(); }(*this));
    PARLANCE_CHECK(loop.block_on(first->client.connect()), "a connection");
  }
  ~SharedConnectionTest() override { scope.cancel(); }

  std::unique_ptr<User> another() {
    auto frames = shared->another();
    PARLANCE_CHECK(frames, "another client");
    auto user = std::make_unique<User>(loop, *std::move(frames));
    PARLANCE_CHECK(loop.block_on(user->client.connect()), "a connection of another");
    return user;
  }
  std::string begin(User& user) { return *loop.block_on(user.client.new_session({.cwd = "/f"}))->session_id; }
  void settle() {
    while (loop.run_ready()) {}
  }

  Loop loop{Loop::Time::virtual_};
  Router router;
  int initialized = 0;
  int sessions = 0;
  bool asks = false;
  bool waits = false;
  std::vector<std::string> closed;
  std::vector<std::string> answers;
  Signal proceed{loop};
  std::unique_ptr<Peer> agent;
  std::unique_ptr<SharedConnection> shared;
  std::unique_ptr<User> first;
  std::optional<Error> end;
  Scope scope{loop};
};

TEST_F(SharedConnectionTest, EachHearsItsOwnSessionsAndTheConnectionBeginsOnce) {
  const auto a = another();
  const auto b = another();
  EXPECT_EQ(initialized, 1);
  const std::string of_a = begin(*a);
  const std::string of_b = begin(*b);
  EXPECT_TRUE(loop.block_on(b->client.prompt({.session_id = of_b})));
  EXPECT_TRUE(loop.block_on(a->client.prompt({.session_id = of_a})));
  EXPECT_EQ(a->handler.text(), "to " + of_a);
  EXPECT_EQ(b->handler.text(), "to " + of_b);
  EXPECT_EQ(first->handler.text(), "");
}

TEST_F(SharedConnectionTest, ARequestInASessionReachesItsClient) {
  asks = true;
  const auto a = another();
  const auto b = another();
  const std::string of_a = begin(*a);
  a->handler.permission = []() -> Task<Result<PermissionReply>> { co_return selected("yes"); };
  EXPECT_TRUE(loop.block_on(a->client.prompt({.session_id = of_a})));
  EXPECT_THAT(answers, ElementsAre("answered"));
  EXPECT_EQ(a->handler.permissions.size(), 1U);
  EXPECT_TRUE(b->handler.permissions.empty());
}

TEST_F(SharedConnectionTest, AClientEndingDuringARequestClosesItsSessions) {
  asks = true;
  auto a = another();
  const std::string of_a = begin(*a);
  a->handler.permission = [this]() -> Task<Result<PermissionReply>> {
    co_await proceed.wait();
    co_return selected("yes");
  };
  auto asking = std::make_unique<Scope>(loop);
  asking->start([](User& user, std::string id) -> Task<void> {
    static_cast<void>(co_await user.client.prompt({.session_id = id}));
  }(*a, of_a));
  settle();
  ASSERT_EQ(a->handler.permissions.size(), 1U);
  asking.reset();
  a.reset();
  settle();
  EXPECT_THAT(closed, ElementsAre(of_a));
}

TEST_F(SharedConnectionTest, TheEndOfTheConnectionEndsAllClientsWithTheReason) {
  waits = true;
  const auto a = another();
  const std::string of_a = begin(*a);
  std::optional<Result<PromptResult>> done;
  Scope asking(loop);
  asking.start([](User& user, std::string id, std::optional<Result<PromptResult>>& into) -> Task<void> {
    into = co_await user.client.prompt({.session_id = id});
  }(*a, of_a, done));
  settle();
  EXPECT_FALSE(done);
  agent->close();
  settle();
  ASSERT_TRUE(done);
  EXPECT_EQ(done->error().code, Errc::disconnected);
  EXPECT_TRUE(a->ended);
  EXPECT_TRUE(end);
  EXPECT_FALSE(shared->another());
}

TEST_F(SharedConnectionTest, OthersEndAndTheFirstMayStillSayWhy) {
  const auto a = another();
  const std::string of_a = begin(*a);
  shared->leave("another gateway has connected");
  settle();
  ASSERT_TRUE(a->ended);
  EXPECT_THAT(a->ended->message, HasSubstr("another gateway has connected"));
  EXPECT_THAT(closed, ElementsAre(of_a));
  EXPECT_FALSE(first->ended);
  EXPECT_TRUE(loop.block_on(first->client.new_session({.cwd = "/f"})));
}

// Any input of the other side: invalid frames end the connection, messages without a target are refused or skipped.
TEST_F(SharedConnectionTest, NoInputBreaksTheConnection) {
  const std::vector<std::string> parts{
      "{",
      "}",
      R"({"jsonrpc":"2.0","id":1,"result":{"sessionId":"s-9"}})",
      R"({"jsonrpc":"2.0","id":"a","error":{"code":1,"message":"m"}})",
      R"({"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s-1"}})",
      R"({"jsonrpc":"2.0","id":7,"method":"session/request_permission","params":{"sessionId":"x"}})",
      R"({"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":7}})",
      R"({"jsonrpc":"2.0","method":"$/cancel_request","params":[]})",
      R"({"jsonrpc":"2.0","id":null,"method":""})",
      "[]",
      "\xff"};
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    auto [near, far] = memory_pair(loop, {.capacity = 1 << 20});
    SharedConnection shared_connection(loop, framed_stream(loop, std::move(near), line_framing()));
    auto control = std::make_unique<User>(loop, shared_connection.first());
    auto user = std::make_unique<User>(loop, *shared_connection.another());
    Scope reading(loop);
    reading.start([](SharedConnection& of) -> Task<void> { static_cast<void>(co_await of.run()); }(shared_connection));
    const auto to = framed_stream(loop, std::move(far), line_framing());
    std::uint32_t state = seed;
    for (int i = 0; i < 8; ++i) {
      state = state * 1664525 + 1013904223;
      static_cast<void>(to->send(parts[(state >> 16) % parts.size()]));
    }
    settle();
    to->close();
    settle();
    EXPECT_TRUE(user->ended) << "seed " << seed;
  }
}

}  // namespace
}  // namespace parlance::acp
