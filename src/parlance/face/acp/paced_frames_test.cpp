// A client that loses what comes too fast gets its frames one by one, and hears that we listen until it speaks.
#include "parlance/face/acp/paced_frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/memory.h"

namespace parlance::face {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

struct PacedFramesTest : ::testing::Test {
  void begin(PacedFramesSettings settings = {.ready = ""}) {
    auto [near, far] = memory_pair(loop);
    client = framed_stream(loop, std::move(near), line_framing());
    ours = paced_frames(loop, framed_stream(loop, std::move(far), line_framing()), std::move(settings));
    scope.start(hear(*client, heard, loop));
    scope.start(listen(*ours, said));
  }
  // What each read of the client brought, and when.
  static Task<void> hear(Frames& frames, std::vector<std::string>& into, Loop& on) {
    for (;;) {
      const auto batch = co_await read_frames(frames);
      if (!batch || batch->empty()) break;
      std::string all;
      for (const BytesView frame : *batch) all += std::string(frame) + " ";
      into.push_back(std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(on.now() - TimePoint{}).count()) + " " +
                     all);
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
  }
  // Without the times.
  std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const std::string& one : heard) all.push_back(one.substr(one.find(' ') + 1));
    return all;
  }

  Loop loop{Loop::Time::virtual_};
  std::unique_ptr<Frames> client;
  std::unique_ptr<Frames> ours;
  std::vector<std::string> heard;
  std::vector<std::string> said;
  Scope scope{loop};
};

TEST_F(PacedFramesTest, FramesLeaveOneByOne) {
  begin();
  for (const char* one : {"{\"a\":1}", "{\"a\":2}", "{\"a\":3}"}) ASSERT_TRUE(ours->send(one));
  EXPECT_TRUE(ours->congested());
  pass(5ms);
  EXPECT_THAT(texts(), ElementsAre("{\"a\":1} "));
  pass(20ms);
  EXPECT_THAT(texts(), ElementsAre("{\"a\":1} ", "{\"a\":2} ", "{\"a\":3} "));
  EXPECT_FALSE(ours->congested());
}

TEST_F(PacedFramesTest, ReadyIsSaidALittleLaterAndAgainUntilTheClientSpeaks) {
  begin({});
  pass(10ms);
  EXPECT_TRUE(heard.empty()) << "together with the answer to the upgrade it would be lost";
  pass(1100ms);
  EXPECT_THAT(texts(), ElementsAre("//ready ", "//ready ", "//ready "));
  ASSERT_TRUE(client->send("hello"));
  pass(2000ms);
  EXPECT_EQ(texts().size(), 3);
  EXPECT_THAT(said, ElementsAre("hello"));
}

TEST_F(PacedFramesTest, WhatIsAskedKeepsAllElseBackUntilItIsAnswered) {
  begin();
  ASSERT_TRUE(ours->send(R"({"jsonrpc":"2.0","id":1,"method":"fs/read_text_file","params":{}})"));
  ASSERT_TRUE(ours->send("next"));
  pass(200ms);
  EXPECT_EQ(texts().size(), 1) << "it does not listen while it answers";
  ASSERT_TRUE(client->send("answer"));
  pass(20ms);
  EXPECT_EQ(texts().size(), 2);
}

TEST_F(PacedFramesTest, AClientThatAsksAPersonHearsTheRestInTheEnd) {
  begin();
  ASSERT_TRUE(ours->send(R"({"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{}})"));
  ASSERT_TRUE(ours->send("next"));
  pass(1100ms);
  EXPECT_EQ(texts().size(), 2);
}

TEST_F(PacedFramesTest, AnAnswerComesALittleAfterTheQuestionSoThatTheClientListens) {
  begin();
  pass(50ms);
  ASSERT_TRUE(client->send("question"));
  while (said.empty()) pass(1ms);
  ASSERT_TRUE(ours->send("answer"));
  while (loop.run_ready()) {}
  EXPECT_TRUE(heard.empty());
  pass(10ms);
  EXPECT_THAT(texts(), ElementsAre("answer "));
}

TEST_F(PacedFramesTest, WhatWaitsLeavesBeforeTheOutputEnds) {
  begin();
  ASSERT_TRUE(ours->send("a"));
  ASSERT_TRUE(ours->send("b"));
  ours->finish();
  pass(50ms);
  EXPECT_THAT(texts(), ElementsAre("a ", "b ", "end"));
}

}  // namespace
}  // namespace parlance::face
