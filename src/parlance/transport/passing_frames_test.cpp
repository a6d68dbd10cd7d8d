// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/passing_frames.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/async/loop.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/framing.h"
#include "parlance/transport/memory.h"

namespace parlance {
namespace {

// Marks sent frames, and refuses received frames with the text "bad".
class Marking final : public PassingFrames<> {
 public:
  using PassingFrames::PassingFrames;

 private:
  FramesRead passed_on(FramesRead batch) override {
    if (batch && !batch->empty() && batch->front() == "bad") return FrameBatch{};
    return batch;
  }
  Result<void> send_on(std::string frame) override { return inner().send("<" + frame + ">"); }
};

class PassingFramesTest : public testing::Test {
 protected:
  PassingFramesTest() {
    auto [a, b] = memory_pair(loop);
    near = std::make_unique<Marking>(framed_stream(loop, std::move(a), line_framing()));
    far = framed_stream(loop, std::move(b), line_framing());
  }
  std::string read(Frames& frames) {
    return loop.block_on([](Frames& from) -> Task<std::string> {
      const FramesRead batch = co_await read_frames(from);
      if (!batch) co_return "error";
      co_return batch->empty() ? "the end" : std::string(batch->front());
    }(frames));
  }
  Loop loop{Loop::Time::virtual_};
  std::unique_ptr<Frames> near;
  std::unique_ptr<Frames> far;
};

TEST_F(PassingFramesTest, PassingFramesAreObserved) {
  EXPECT_TRUE(near->send("one"));
  EXPECT_EQ(read(*far), "<one>");
  EXPECT_TRUE(far->send("good"));
  EXPECT_EQ(read(*near), "good");
  EXPECT_TRUE(far->send("bad"));
  EXPECT_EQ(read(*near), "the end");
}

TEST_F(PassingFramesTest, AFailedFrameLeavesNoBytes) {
  const auto written = near->compose([](std::string& out) -> Result<void> {
    out += "half";
    return fail(Errc::failed, "no more");
  });
  EXPECT_FALSE(written);
  EXPECT_TRUE(near->send("whole"));
  EXPECT_EQ(read(*far), "<whole>");
}

TEST_F(PassingFramesTest, TheEndIsPassedOnBothWays) {
  EXPECT_EQ(near->name(), far->name());
  near->finish();
  EXPECT_EQ(read(*far), "the end");
  far->close();
  EXPECT_EQ(read(*near), "the end");
}

}  // namespace
}  // namespace parlance
