// SPDX-License-Identifier: Apache-2.0
// Permissions that Claude Code asks for: changed by a person, refused with the end of the turn.
#include "parlance/driver/claude/asks.h"

#include <gtest/gtest.h>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/test_support.h"
#include "parlance/protocol/claude/host.h"

namespace parlance::driver {
namespace {

struct Events final : ClaudeEvents::Sink {
  void emit(hub::EventBody body) override { turn->emit(std::move(body)); }
  void session(std::string_view) override {}
  void permission_mode(std::string_view) override {}
  void answered(const json::Value&) override {}
  void result(claude::TurnResult) override {}
  hub::Turn* turn = nullptr;
};

// A permission request of Claude Code, in a turn of a hub.
struct Asked : hub::test::Bench {
  explicit Asked(claude::CanUseTool what) {
    script = [this, what](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
      Events sink;
      sink.turn = &turn;
      ClaudeEvents events(sink);
      ClaudeAsks asks(events, [](hub::Mode) {});
      PARLANCE_CO_TRY(said, co_await asks.ask(turn, what, {}));
      result = std::move(said);
      co_return hub::StopReason::end_turn;
    };
    id = conversation();
    prompt(id);
    loop.run_ready();
    PARLANCE_CHECK(open_asks(*hub).size() == 1, "one open ask");
    ask = open_asks(*hub)[0];
  }
  std::string id;
  hub::Ask ask;
  std::optional<claude::PermissionResult> result;
};

TEST(ClaudeAsks, EditedCommandIsTheUpdatedInput) {
  Asked asked({.tool_name = "Bash", .input = {R"({"command":"make","description":"d"})"}, .tool_use_id = "toolu_1"});
  EXPECT_EQ(asked.ask.editable, hub::EditablePart::command);
  ASSERT_TRUE(asked.loop.block_on(asked.hub->submit(
      asked.ask.conversation,
      hub::AnswerRequest{.request = asked.ask.id,
                         .answer = {.digest = asked.ask.digest, .option = "allow_once", .edited = "make test"}})));
  asked.loop.run_ready();
  ASSERT_TRUE(asked.result);
  const auto* allow = std::get_if<claude::Allow>(&asked.result->value);
  ASSERT_NE(allow, nullptr);
  EXPECT_EQ(allow->updated_input.json, R"({"command":"make test","description":"d"})");
  EXPECT_EQ(asked.trace(asked.id), "turn_start user tool_start confirm settled:answered update tool_end:cancelled turn_end");
}

TEST(ClaudeAsks, BlockedPathsOfEitherFormAreShown) {
  const Asked asked({.tool_name = "Bash",
                     .input = {R"({"command":"touch /etc/a"})"},
                     .blocked_path = claude::text_content("/etc/a"),
                     .tool_use_id = "toolu_1"});
  EXPECT_EQ(asked.ask.why, "Claude Code wants this in " + asked.hub->find(asked.id)->folder + ": blocked path /etc/a");
  const Asked two({.tool_name = "Bash",
                   .input = {R"({"command":"touch /etc/a /b"})"},
                   .blocked_paths = {R"(["/etc/a","/b"])"},
                   .decision_reason = claude::text_content("outside"),
                   .tool_use_id = "toolu_1"});
  EXPECT_TRUE(two.ask.why.ends_with(": outside, blocked path /etc/a, blocked path /b")) << two.ask.why;
}

TEST(ClaudeAsks, RejectAndStopInterrupts) {
  Asked asked({.tool_name = "Bash", .input = {R"({"command":"make"})"}, .tool_use_id = "toolu_1"});
  ASSERT_TRUE(asked.answer(asked.ask, "reject_stop"));
  asked.loop.run_ready();
  ASSERT_TRUE(asked.result);
  const auto* deny = std::get_if<claude::Deny>(&asked.result->value);
  ASSERT_NE(deny, nullptr);
  EXPECT_EQ(deny->interrupt, true);

  Asked again({.tool_name = "Bash", .input = {R"({"command":"make"})"}, .tool_use_id = "toolu_1"});
  ASSERT_TRUE(again.answer(again.ask, "reject"));
  again.loop.run_ready();
  EXPECT_EQ(std::get<claude::Deny>(again.result->value).interrupt, std::nullopt) << "it goes on without";
}

}  // namespace
}  // namespace parlance::driver
