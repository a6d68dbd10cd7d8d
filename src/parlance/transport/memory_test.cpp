// SPDX-License-Identifier: Apache-2.0
// The pair in memory behaves like a pair of pipes.
#include "parlance/transport/memory.h"

#include <gtest/gtest.h>

#include "parlance/async/scope.h"

namespace parlance {
namespace {

class MemoryPair : public testing::Test {
 protected:
  MemoryPair() { connect({}); }
  void connect(MemoryOptions options) { std::tie(here, there) = memory_pair(loop, options); }
  // Reads until the end; "!" at the end of it says that it was no clean one.
  Task<void> read_all(ByteStream& stream, std::string& into) {
    std::string buffer(1000, '\0');
    for (;;) {
      const auto count = co_await read_some(stream, buffer);
      if (!count) into += "!";
      if (!count || *count == 0) {
        ended = true;
        co_return;
      }
      into.append(buffer, 0, *count);
      ++reads;
    }
  }
  Loop loop{Loop::Time::virtual_};
  std::unique_ptr<ByteStream> here;
  std::unique_ptr<ByteStream> there;
  std::string received;
  int reads = 0;
  bool ended = false;
  Scope scope{loop};
};

TEST_F(MemoryPair, BytesGoBothWaysAndEndCleanly) {
  scope.start(read_all(*there, received));
  EXPECT_EQ(here->try_write("one "), 4U);
  EXPECT_EQ(there->try_write("back"), 4U);
  loop.run_ready();
  EXPECT_EQ(received, "one ");
  here->try_write("two");
  here->close_output();
  EXPECT_EQ(here->try_write("late"), 0U);
  loop.run_ready();
  EXPECT_EQ(received, "one two");
  EXPECT_TRUE(ended);
  std::string back;
  loop.block_on([](ByteStream& stream, std::string& into) -> Task<void> {
    std::string buffer(10, '\0');
    into = buffer.substr(0, (co_await read_some(stream, buffer)).value());
  }(*here, back));
  EXPECT_EQ(back.size(), 4U) << "the other direction goes on";
}

TEST_F(MemoryPair, ReadsMayBeShort) {
  connect({.one_byte_reads = true});
  scope.start(read_all(*there, received));
  here->try_write("hello");
  here->close_output();
  loop.run_ready();
  EXPECT_EQ(received, "hello");
  EXPECT_EQ(reads, 5);
}

TEST_F(MemoryPair, AFullPipeAcceptsAPartAndBlocksAWriter) {
  connect({.capacity = 4});
  EXPECT_EQ(here->try_write("abcdef"), 4U);
  EXPECT_EQ(here->try_write("ef"), 0U);
  bool written = false;
  const auto write = [&]() -> Task<void> {
    EXPECT_EQ((co_await write_all(*here, "efghijklmn")).value_or(0), 10U);
    written = true;
  };
  scope.start(write());
  loop.run_ready();
  EXPECT_FALSE(written);
  scope.start(read_all(*there, received));
  loop.run_ready();
  EXPECT_TRUE(written);
  EXPECT_EQ(received, "abcdefghijklmn");
}

TEST_F(MemoryPair, OutputBeforeTheEndIsRead) {
  here->try_write("last words");
  here.reset();
  scope.start(read_all(*there, received));
  loop.run_ready();
  EXPECT_EQ(received, "last words");
  EXPECT_TRUE(ended);
}

TEST_F(MemoryPair, AWriteToADestroyedEndIsAnError) {
  there.reset();
  loop.run_ready();
  EXPECT_EQ(here->try_write("x"), 0U);
  const auto write = [](ByteStream& stream) -> Task<Result<std::size_t>> { co_return co_await write_all(stream, "x"); };
  const auto written = loop.block_on(write(*here));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, Errc::disconnected);
}

TEST_F(MemoryPair, ClosingEndsTheOwnRead) {
  scope.start(read_all(*here, received));
  loop.run_ready();
  EXPECT_FALSE(ended);
  here->close();
  loop.run_ready();
  EXPECT_EQ(received, "!") << "not a clean end";
}

TEST_F(MemoryPair, AWatcherIsNotifiedOnceOfTheOtherEnd) {
  struct Watcher final : HangUp {
    void on_hang_up() override { ++calls; }
    int calls = 0;
  } watcher;
  here->watch(&watcher);
  there->close_output();
  loop.run_ready();
  EXPECT_EQ(watcher.calls, 0) << "the other end still reads";
  there.reset();
  loop.run_ready();
  EXPECT_EQ(watcher.calls, 1);
  loop.run_ready();
  EXPECT_EQ(watcher.calls, 1);
  Watcher late;
  here->watch(&late);
  loop.run_ready();
  EXPECT_EQ(late.calls, 1);
}

TEST_F(MemoryPair, ACancelledWatcherIsNotNotified) {
  struct Watcher final : HangUp {
    void on_hang_up() override { FAIL() << "it watches no more"; }
  } watcher;
  here->watch(&watcher);
  here->watch(nullptr);
  there.reset();
  loop.run_ready();
}

}  // namespace
}  // namespace parlance
