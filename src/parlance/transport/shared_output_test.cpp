// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/shared_output.h"

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/async/loop.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/memory.h"

namespace parlance {
namespace {

SharedBytes shared(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

struct SharedOutputTest : testing::Test {
  Loop loop{Loop::Time::virtual_};
  std::unique_ptr<ByteStream> far;
  std::unique_ptr<Frames> frames;

  SharedOutputTest() {
    auto [a, b] = memory_pair(loop);
    frames = framed_stream(loop, std::move(a), line_framing());
    far = std::move(b);
  }
  std::string arrived() {
    struct Sink final : IoDone {
      std::size_t bytes = 0;
      void on_io(Result<std::size_t> count) override { bytes = count.value_or(0); }
    } sink;
    std::array<char, 1024> buffer{};
    far->start_read(buffer, sink);
    while (loop.run_ready()) {}
    if (sink.bytes == 0) far->give_up(sink);
    return {buffer.data(), sink.bytes};
  }
};

TEST_F(SharedOutputTest, UnsharedFramesGetACopy) {
  const std::array parts{shared("{\"a\":"), shared(""), shared("1}")};
  EXPECT_TRUE(send_joined(*frames, parts));
  EXPECT_TRUE(send_joined(*frames, std::array{shared("next")}));
  EXPECT_EQ(arrived(), "{\"a\":1}\nnext\n");
  for (const SharedBytes& part : parts) EXPECT_EQ(part.use_count(), 1) << "the frames keep no reference";
}

TEST_F(SharedOutputTest, AnUnframeableTextIsRefusedWhole) {
  EXPECT_FALSE(send_joined(*frames, std::array{shared("one line"), shared("\nand another")}));
  EXPECT_TRUE(send_joined(*frames, std::array{shared("fine")}));
  EXPECT_EQ(arrived(), "fine\n");
}

// Frames with SharedOutput receive the shared parts without a copy.
struct Sharing final : Frames, SharedOutput {
  explicit Sharing(Loop& loop) : signal(loop) {}
  std::vector<SharedBytes> held;
  Result<void> send_joined(std::span<const SharedBytes> parts) override {
    held.assign(parts.begin(), parts.end());
    return {};
  }
  void start_read(FramesDone&) override {}
  void stop_read() override {}
  bool congested() const override { return false; }
  Signal& drained() override { return signal; }
  std::size_t queued_bytes() const override { return 0; }
  void finish() override {}
  void close() override {}
  std::string name() const override { return "sharing"; }
  std::string& begin_frame() override {
    ADD_FAILURE() << "nothing is copied";
    return unused;
  }
  Result<void> end_frame() override { return {}; }
  void abandon_frame() override {}
  Signal signal;
  std::string unused;
};

TEST_F(SharedOutputTest, SharedFramesHoldTheTextItself) {
  Sharing sharing(loop);
  const SharedBytes text = shared("long");
  EXPECT_TRUE(send_joined(static_cast<Frames&>(sharing), std::array{text}));
  ASSERT_EQ(sharing.held.size(), 1U);
  EXPECT_EQ(sharing.held[0].get(), text.get());
}

}  // namespace
}  // namespace parlance
