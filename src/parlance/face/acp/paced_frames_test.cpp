// SPDX-License-Identifier: Apache-2.0
// A client with a single frame per read gets all frames one by one at any speed, and `//ready` until its first message.
#include "parlance/face/acp/paced_frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/transport/memory.h"

namespace parlance::face {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

constexpr const char* question = R"({"jsonrpc":"2.0","id":1,"method":"fs/read_text_file","params":{}})";
constexpr const char* answer = R"({"jsonrpc":"2.0","id":1,"result":{"content":""}})";

struct PacedFramesTest : ::testing::Test {
  PacedFramesTest() {
    auto [near, far] = memory_pair(loop);
    client = websocket_frames(loop, std::move(near), {.role = websocket::Role::client, .ping = 0s});
    ours = paced_frames(loop, websocket_frames(loop, std::move(far), {.role = websocket::Role::server, .ping = 0s}));
    scope.start(listen(*ours, said));
  }
  // The client reads from now on.
  void awake() { reading.start(receive(*client, received)); }
  // The client has seen `//ready`, and sends its first message.
  void begin() {
    awake();
    pass(1ms);
    ASSERT_TRUE(client->send("hello"));
    pass(1ms);
    received.clear();
    said.clear();
  }
  void sleep() { reading.cancel(); }

  // The frames of each read of the client.
  static Task<void> receive(Frames& frames, std::vector<std::string>& into) {
    for (;;) {
      const auto batch = co_await read_frames(frames);
      if (!batch || batch->empty()) break;
      std::string all;
      for (const BytesView frame : *batch) all += std::string(frame) + " ";
      into.push_back(all);
    }
    into.emplace_back("end");
  }
  static Task<void> listen(Frames& frames, std::vector<std::string>& into) {
    for (;;) {
      const auto batch = co_await read_frames(frames);
      if (!batch || batch->empty()) break;
      for (const BytesView frame : *batch) into.emplace_back(frame);
    }
    into.emplace_back("end");
  }
  void pass(Duration time) {
    for (Duration gone{}; gone < time; gone += 1ms) {
      while (loop.run_ready()) {}
      loop.advance(1ms);
    }
    while (loop.run_ready()) {}
  }

  Loop loop{Loop::Time::virtual_};
  std::unique_ptr<WebSocketFrames> client;
  std::unique_ptr<Frames> ours;
  std::vector<std::string> received;
  std::vector<std::string> said;
  Scope reading{loop};
  Scope scope{loop};
};

TEST_F(PacedFramesTest, EachReadReturnsASingleFrame) {
  begin();
  for (const char* frame : {"a", "b", "c"}) ASSERT_TRUE(ours->send(frame));
  EXPECT_TRUE(ours->congested());
  pass(1ms);
  EXPECT_THAT(received, ElementsAre("a ", "b ", "c ")) << "and no time is lost between them";
  EXPECT_FALSE(ours->congested());
}

TEST_F(PacedFramesTest, LateClientFindsASingleFrame) {
  begin();
  ASSERT_TRUE(ours->send("a"));
  for (int i = 0; i < 8; ++i) {
    sleep();
    ASSERT_TRUE(ours->send("b"));
    pass(5s);
    awake();
    pass(0ms);
  }
  pass(10ms);
  EXPECT_THAT(received, testing::Each(testing::AnyOf("a ", "b ")));
  EXPECT_EQ(received.size(), 9);
}

TEST_F(PacedFramesTest, ReadyFollowsTheFirstReadAndRepeatsUntilInput) {
  pass(700ms);
  awake();
  pass(1ms);
  EXPECT_THAT(received, ElementsAre("//ready ")) << "a client that came late finds it once";
  pass(1100ms);
  EXPECT_THAT(received, ElementsAre("//ready ", "//ready ", "//ready "));
  ASSERT_TRUE(client->send("hello"));
  pass(2000ms);
  EXPECT_EQ(received.size(), 3);
  EXPECT_THAT(said, ElementsAre("hello"));
}

TEST_F(PacedFramesTest, RequestBlocksLaterFramesUntilItsAnswer) {
  begin();
  ASSERT_TRUE(ours->send(question));
  ASSERT_TRUE(ours->send("next"));
  pass(200ms);
  ASSERT_TRUE(client->send(R"({"jsonrpc":"2.0","id":7,"method":"session/cancel","params":{}})"));
  pass(200ms);
  EXPECT_EQ(received.size(), 1) << "it does not listen while it answers, whatever else it says";
  ASSERT_TRUE(client->send(answer));
  pass(1ms);
  EXPECT_EQ(received.size(), 2);
}

TEST_F(PacedFramesTest, ClientWithADialogGetsTheRest) {
  begin();
  sleep();
  ASSERT_TRUE(ours->send(question));
  ASSERT_TRUE(ours->send("next"));
  pass(5s);
  awake();
  pass(900ms);
  EXPECT_EQ(received.size(), 1) << "its time begins when it has read what it is asked";
  pass(200ms);
  EXPECT_EQ(received.size(), 2);
}

TEST_F(PacedFramesTest, WaitingFramesLeaveBeforeTheEndOfOutput) {
  begin();
  sleep();
  ASSERT_TRUE(ours->send("a"));
  ASSERT_TRUE(ours->send("b"));
  ours->finish();
  awake();
  pass(50ms);
  EXPECT_THAT(received, testing::Contains(testing::HasSubstr("b ")));
  EXPECT_EQ(received.back(), "end");
}

TEST_F(PacedFramesTest, ClosedClientHasNoWaitingFrames) {
  begin();
  ASSERT_TRUE(ours->send(question));
  ASSERT_TRUE(ours->send("next"));
  client->close();
  pass(10ms);
  EXPECT_EQ(ours->queued_bytes(), 0);
  EXPECT_FALSE(ours->congested());
}

}  // namespace
}  // namespace parlance::face
