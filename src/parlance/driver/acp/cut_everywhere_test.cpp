// SPDX-License-Identifier: Apache-2.0
// Cuts the connection at every frame of a session in either direction: no caller waits forever, every begun turn and call gets an
// end, and the conversation continues or asks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/driver/acp/test_support.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/runtime/change.h"

namespace parlance::driver {
namespace {

using test::AcpBench;
using ::testing::HasSubstr;

// Passes `left` frames, both directions counted together, and hangs up.
class CutFrames final : public Frames, private FramesDone {
 public:
  CutFrames(std::unique_ptr<Frames> inner, int& left) : inner_(std::move(inner)), left_(left) {}

  void start_read(FramesDone& done) override {
    reader_ = &done;
    inner_->start_read(*this);
  }
  void stop_read() override { inner_->stop_read(); }
  bool congested() const override { return inner_->congested(); }
  Signal& drained() override { return inner_->drained(); }
  std::size_t queued_bytes() const override { return inner_->queued_bytes(); }
  void watch(HangUp* watcher) override { inner_->watch(watcher); }
  void finish() override { inner_->finish(); }
  void close() override { inner_->close(); }
  std::string name() const override { return inner_->name(); }

 protected:
  std::string& begin_frame() override { return frame_; }
  Result<void> end_frame() override {
    const std::string frame = std::exchange(frame_, {});
    if (left_ > 0 && --left_ > 0) return inner_->send(frame);
    inner_->close();
    return {};
  }
  void abandon_frame() override { frame_.clear(); }

 private:
  void on_frames(FramesRead batch) override {
    if (batch && left_ <= static_cast<int>(batch->size())) {
      const auto passes = static_cast<std::size_t>(std::max(left_ - 1, 0));
      batch->frames = batch->frames.first(passes);
      left_ = 0;
      inner_->close();
      if (passes == 0) batch = std::unexpected(FramesEnd({.code = Errc::disconnected, .message = "cut"}));
    } else if (batch) {
      left_ -= static_cast<int>(batch->size());
    }
    std::exchange(reader_, nullptr)->on_frames(std::move(batch));
  }

  std::unique_ptr<Frames> inner_;
  int& left_;
  FramesDone* reader_ = nullptr;
  std::string frame_;
};

// Text, a tool call, a permission request, more text.
Task<Result<acp::PromptResult>> play(const acp::Prompt& prompt, Peer& agent) {
  const auto send = [&](acp::Update update) {
    static_cast<void>(agent.notify(acp::method::update, {.session_id = prompt.session_id, .update = std::move(update)}));
  };
  send({acp::AgentMessageChunk{{.content = acp::text("one ")}}});
  send({acp::ToolCall{{.tool_call_id = "t", .title = "rm x"}}});
  auto answer =
      co_await agent.call(acp::method::request_permission,
                          {.session_id = prompt.session_id,
                           .tool_call = {.tool_call_id = "t", .title = "rm x"},
                           .options = {{.option_id = "yes", .name = "Yes", .kind = {acp::PermissionKind::allow_once}}}});
  if (!answer) co_return fail(std::move(answer).error());
  send({acp::ToolCallUpdate{.tool_call_id = "t", .status = acp::Open<acp::ToolStatus>{acp::ToolStatus::completed}}});
  send({acp::AgentMessageChunk{{.content = acp::text("two")}}});
  co_return acp::PromptResult{};
}

struct CutBench : AcpBench {
  explicit CutBench(int cut_at, bool keeps_sessions) : left(cut_at) {
    agent_script.initialized.capabilities = acp::AgentCapabilities{.load_session = keeps_sessions};
    agent_script.prompt = play;
    wrap = [this](std::unique_ptr<Frames> inner) -> std::unique_ptr<Frames> {
      return std::make_unique<CutFrames>(std::move(inner), left);
    };
  }
  // Answers every ask with its first option, until no ask is open.
  void go_on(const std::string& id) {
    for (int i = 0; i < 10; ++i) {
      settle();
      const auto asks = open_asks(*hub);
      if (asks.empty()) return;
      choose(asks.front(), asks.front().options.front().id);
    }
    ADD_FAILURE() << "it asks for ever: " << trace(id);
  }
  bool idle(const std::string& id) { return hub->find(id)->state == hub::ConversationState::idle; }
  int left;
};

class CutEverywhere : public ::testing::TestWithParam<bool> {};

TEST_P(CutEverywhere, EndsTheTurnAndTheNextOneIsWhole) {
  int whole = 0;
  for (int at = 1; whole == 0; ++at) {
    ASSERT_LT(at, 100) << "a session has no hundred frames";
    SCOPED_TRACE("cut at frame " + std::to_string(at));
    CutBench bench(at, GetParam());
    const std::string id = bench.acp_conversation();
    bench.begin(id);
    bench.go_on(id);
    ASSERT_TRUE(bench.idle(id)) << "it waits for ever: " << bench.trace(id);
    if (bench.left > 0) {
      whole = at;
      EXPECT_EQ(bench.said(id), "one two");
    }
    const std::string first = bench.trace(id);
    EXPECT_THAT(first, HasSubstr("turn_end"));
    if (whole == 0) EXPECT_THAT(first, HasSubstr("turn_end:error")) << "a cut turn is not reported as done";
    if (first.find("tool_start") != std::string::npos) EXPECT_THAT(first, HasSubstr("tool_end"));
    const auto failures = bench.events<hub::event::Failure>(id);
    for (const auto& failure : failures) EXPECT_NE(failure.message, "");

    bench.left = 1'000;
    const std::size_t before = bench.said(id).size();
    bench.begin(id, "again");
    bench.go_on(id);
    ASSERT_TRUE(bench.idle(id)) << bench.trace(id);
    EXPECT_EQ(bench.said(id).substr(before), "one two") << bench.trace(id);
  }
  EXPECT_GT(whole, 12) << "there were frames to cut at";
}

INSTANTIATE_TEST_SUITE_P(AnAgentThat, CutEverywhere, ::testing::Bool(),
                         [](const auto& keeps) { return keeps.param ? "KeepsSessions" : "ForgetsThem"; });

}  // namespace
}  // namespace parlance::driver
