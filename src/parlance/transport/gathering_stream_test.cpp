#include "parlance/transport/gathering_stream.h"

#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/transport/memory.h"

namespace parlance {
namespace {

using namespace std::chrono_literals;

class GatheringStreamTest : public ::testing::Test {
 protected:
  GatheringStreamTest() {
    auto [a, b] = memory_pair(loop);
    writer = std::move(a);
    reader = gathering_stream(loop, std::move(b), {.streak = 3, .small_bytes = 100, .pause = 200us, .close_by = 500us});
    scope.start(read_all());
  }
  Task<void> read_all() {
    char buffer[1000];
    for (;;) {
      const auto got = co_await read_some(*reader, buffer);
      if (!got || *got == 0) {
        ended = true;
        co_return;
      }
      reads.push_back(std::string(buffer, *got));
    }
  }
  void say(const std::string& text) {
    ASSERT_EQ(writer->try_write(text), text.size());
    loop.run_for(0ms);
  }
  // Into the state in which the next read pauses.
  void flood() {
    for (int i = 0; i < 4; ++i) say("x");
    reads.clear();
  }

  Loop loop{Loop::Time::virtual_};
  std::unique_ptr<ByteStream> writer;
  std::unique_ptr<ByteStream> reader;
  std::vector<std::string> reads;
  bool ended = false;
  Scope scope{loop};
};

TEST_F(GatheringStreamTest, WhatPoursInComesInFewReadsAndInOrder) {
  flood();
  say("a");
  say("b");
  say("c");
  EXPECT_TRUE(reads.empty());
  loop.advance(200us);
  EXPECT_EQ(reads, std::vector<std::string>{"abc"});
}

TEST_F(GatheringStreamTest, WhatComesNowAndThenComesAtOnce) {
  for (int i = 0; i < 20; ++i) {
    loop.advance(1ms);
    say("x");
    EXPECT_EQ(reads.size(), static_cast<std::size_t>(i + 1));
  }
}

TEST_F(GatheringStreamTest, AnAnswerToWhatWeAskIsNotHeldUp) {
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(reader->try_write("?"), 1U);
    say("!");
    EXPECT_EQ(reads.size(), static_cast<std::size_t>(i + 1));
  }
}

TEST_F(GatheringStreamTest, AFloodThatIsOverIsForgotten) {
  flood();
  loop.advance(10ms);
  say("a");
  EXPECT_EQ(reads.size(), 1U) << "the pause was over long ago";
  say("b");
  EXPECT_EQ(reads.size(), 2U);
}

TEST_F(GatheringStreamTest, TheEndAndACloseAreToldInAPauseToo) {
  flood();
  writer.reset();
  loop.advance(200us);
  EXPECT_TRUE(ended);
}

TEST_F(GatheringStreamTest, ACloseEndsAReadThatPauses) {
  flood();
  reader->close();
  loop.run_for(0ms);
  EXPECT_TRUE(ended);
}

TEST_F(GatheringStreamTest, AReaderThatGivesUpInAPauseIsNotCalled) {
  flood();
  scope.cancel();
  EXPECT_EQ(writer->try_write("x"), 0U) << "giving up closes";
  loop.advance(1s);
  EXPECT_TRUE(reads.empty());
}

}  // namespace
}  // namespace parlance
