// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/output_queue.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/transport/framed_stream.h"

namespace parlance {
namespace {

using namespace std::chrono_literals;

// Accepts this number of bytes at once, and blocks the writer of the rest until the test continues.
class HoldingStream final : public ByteStream {
 public:
  void start_read(std::span<char> /*into*/, IoDone& /*done*/) override {}
  std::size_t try_write(BytesView from) override {
    const std::size_t taken = std::min(takes, from.size());
    takes -= taken;
    written += from.substr(0, taken);
    return taken;
  }
  void start_write(BytesView from, IoDone& done) override {
    pending = from;
    writer = &done;
  }
  void close_output() override { output_closed = true; }
  void close() override {}
  void give_up(IoDone& /*done*/) override { writer = nullptr; }
  std::string name() const override { return "the stream of a test"; }

  void finish_write() {
    written += pending;
    const std::size_t bytes = pending.size();
    std::exchange(writer, nullptr)->on_io(bytes);
  }
  void fail_write() { std::exchange(writer, nullptr)->on_io(fail(Errc::disconnected, "broken pipe")); }

  std::size_t takes = 0;
  std::string written;
  BytesView pending;
  IoDone* writer = nullptr;
  bool output_closed = false;
};

class OutputQueueTest : public testing::Test, protected OutputQueue::Owner {
 protected:
  void on_output_sent() override { ++sent; }
  void on_output_failed(Error error) override { failures.push_back(error.message); }

  void say(OutputQueue& queue, std::string_view text) {
    queue.buffer() += text;
    queue.schedule();
    loop.post([] {});
    loop.run_ready();
  }
  static SharedBytes shared(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

  Loop loop{Loop::Time::virtual_};
  HoldingStream stream;
  int sent = 0;
  std::vector<std::string> failures;
};

TEST_F(OutputQueueTest, FittingOutputLeavesInAPiece) {
  OutputQueue queue(loop, stream, *this, {});
  stream.takes = 100;
  queue.buffer() += "one ";
  say(queue, "two");
  EXPECT_EQ(stream.written, "one two");
  EXPECT_EQ(sent, 1);
  EXPECT_EQ(queue.queued_bytes(), 0U);
}

TEST_F(OutputQueueTest, TheRestFollowsInOrder) {
  OutputQueue queue(loop, stream, *this, {});
  stream.takes = 2;
  say(queue, "abcd");
  EXPECT_TRUE(queue.busy());
  EXPECT_EQ(queue.queued_bytes(), 2U);
  queue.append_shared(shared("EF"));
  say(queue, "gh");
  EXPECT_EQ(queue.queued_bytes(), 6U);
  while (stream.writer != nullptr) stream.finish_write();
  EXPECT_EQ(stream.written, "abcdEFgh");
  EXPECT_EQ(sent, 1) << "one callback, after all output";
  EXPECT_EQ(queue.queued_bytes(), 0U);
}

TEST_F(OutputQueueTest, AFailedWriteIsReportedOnceAndEndsAllWaits) {
  OutputQueue queue(loop, stream, *this, {});
  say(queue, "lost");
  stream.fail_write();
  EXPECT_EQ(failures, std::vector<std::string>{"broken pipe"});
  EXPECT_EQ(queue.queued_bytes(), 0U);
  queue.append_shared(shared("more"));
  say(queue, "and more");
  EXPECT_EQ(stream.writer, nullptr) << "nothing is written after that";
  EXPECT_EQ(failures.size(), 1U);
}

// The program ends during a write: without this, the waiter for the rest would wait endlessly.
TEST_F(OutputQueueTest, AbandonedDuringAWriteNoCallbackFollows) {
  OutputQueue queue(loop, stream, *this, {});
  say(queue, "unread");
  ASSERT_TRUE(queue.busy());
  queue.abandon();
  EXPECT_EQ(queue.queued_bytes(), 0U);
  stream.fail_write();
  EXPECT_EQ(queue.queued_bytes(), 0U);
  EXPECT_TRUE(failures.empty()) << "the owner has abandoned it";
}

TEST_F(OutputQueueTest, AStallIsJudgedByProgress) {
  OutputQueue queue(loop, stream, *this, {.stall = 10s});
  const std::string piece(256 << 10, 'x');
  say(queue, piece + piece);
  loop.advance(9s);
  ASSERT_NE(stream.writer, nullptr);
  stream.finish_write();
  loop.advance(9s);
  EXPECT_TRUE(failures.empty());
  loop.advance(2s);
  EXPECT_EQ(failures, std::vector<std::string>{"the stream of a test: the other side stopped reading"});
}

TEST_F(OutputQueueTest, CongestionEndsWhileTheRestIsStillUnderWay) {
  OutputQueue queue(loop, stream, *this, {.congested_bytes = 4});
  say(queue, "12345678");
  EXPECT_TRUE(queue.congested());
  say(queue, "9");
  stream.finish_write();
  EXPECT_FALSE(queue.congested());
  EXPECT_EQ(sent, 0);
  stream.finish_write();
  EXPECT_EQ(sent, 1);
}

TEST_F(OutputQueueTest, ADetachedQueueReturnsItsUnsentBytes) {
  OutputQueue queue(loop, stream, *this, {});
  queue.buffer() += "mine again";
  queue.schedule();
  EXPECT_EQ(queue.detach(), "mine again");
  loop.run_ready();
  EXPECT_EQ(stream.written, "");
}

TEST_F(OutputQueueTest, SendingNowSendsTheAcceptedPart) {
  OutputQueue queue(loop, stream, *this, {});
  stream.takes = 5;
  queue.append_shared(shared("abc"));
  queue.buffer() += "defg";
  queue.send_now();
  EXPECT_EQ(stream.written, "abcde");
  EXPECT_EQ(queue.queued_bytes(), 2U);
}

TEST(FramedOutput, ClosedDuringAWriteNoCallbackFollows) {
  Loop loop(Loop::Time::virtual_);
  auto owned = std::make_unique<HoldingStream>();
  HoldingStream& stream = *owned;
  const auto frames = framed_stream(loop, std::move(owned), line_framing());
  ASSERT_TRUE(frames->compose([](std::string& out) -> Result<void> {
    out += "{}";
    return {};
  }));
  loop.post([] {});
  loop.run_ready();
  ASSERT_NE(stream.writer, nullptr);
  EXPECT_EQ(frames->queued_bytes(), 3U);
  frames->close();
  EXPECT_EQ(frames->queued_bytes(), 0U);
  stream.fail_write();
}

}  // namespace
}  // namespace parlance
