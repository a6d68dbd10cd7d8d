// SPDX-License-Identifier: Apache-2.0
// A slow Claude Code host with large conversations: every line arrives in order, and each turn has its result.
#include <gtest/gtest.h>

#include "parlance/face/claude/test_support.h"
#include "parlance/hub/conversation/plan.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"

namespace parlance::face {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::size_t mebibyte = 1 << 20;

// A tool with a result of this size, and an answer of this size.
hub::test::Script turn_of(std::size_t result_bytes, std::size_t text_bytes) {
  return [=](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    turn.emit(hub::event::ToolStart{.call = "c1", .tool = "run_command", .title = "ls", .input_json = "{}"});
    turn.emit(hub::event::ToolOutput{"c1", std::string(result_bytes, 'r')});
    turn.emit(hub::event::ToolEnd{"c1"});
    turn.emit(hub::event::Text{std::string(text_bytes, 't')});
    co_return hub::StopReason::end_turn;
  };
}

Task<Result<hub::StopReason>> much_text(hub::Turn& turn, hub::Prompt) {
  for (int i = 0; i < 3000; ++i) {
    turn.emit(hub::event::Text{std::string(5000, 'a')});
    if (turn.congested()) PARLANCE_CO_TRY_DO(co_await turn.written());
  }
  co_return hub::StopReason::end_turn;
}

struct LargeConversations : HubOverClaude {
  void settle_long() {
    for (int i = 0; i < 10; ++i) settle();
  }
  std::size_t results_of_tools() const {
    std::size_t bytes = 0;
    for (const std::string& line : side.lines)
      if (line.find("tool_result") != std::string::npos) bytes += static_cast<std::size_t>(std::ranges::count(line, 'r'));
    return bytes;
  }
};

TEST_F(LargeConversations, AResultOf9MebibytesReachesTheHost) {
  bench.script = turn_of(9 * mebibyte, 9 * mebibyte);
  bench.loop.advance(24h);
  serve(false, true);
  prompt("hello");
  ASSERT_EQ(side.results.size(), 1U);
  EXPECT_TRUE(side.results[0].succeeded());
  EXPECT_EQ(side.results[0].result.value_or("").size(), 9 * mebibyte);
  EXPECT_GE(results_of_tools(), 9 * mebibyte);
  EXPECT_LT(side.results[0].duration_ms, 60'000) << "the duration of the turn, not of the process";
}

TEST_F(LargeConversations, AResultOf60MebibytesReachesTheHost) {
  bench.script = turn_of(60 * mebibyte, 1);
  serve(false, true);
  prompt("hello");
  settle_long();
  ASSERT_EQ(side.results.size(), 1U);
  EXPECT_GE(results_of_tools(), 60 * mebibyte);
  bench.script = turn_of(1, 1);
  prompt("again");
  EXPECT_EQ(side.results.size(), 2U);
}

TEST_F(LargeConversations, PausedHostGetsAllEventsAfterAMinute) {
  bench.script = much_text;
  serve(false, true);
  Signal reads(bench.loop);
  side.reads = &reads;
  prompt("hello");
  bench.loop.advance(60s);
  EXPECT_LT(side.text.size(), 3000U * 5000U) << "the host did not read";
  EXPECT_TRUE(side.results.empty());
  EXPECT_TRUE(hub::test::is_idle(*bench.hub, conversation)) << "the turn does not wait for its reader";
  side.reads = nullptr;
  reads.notify_all();
  settle_long();
  EXPECT_EQ(side.text.size(), 3000U * 5000U);
  ASSERT_EQ(side.results.size(), 1U);
  EXPECT_TRUE(side.results[0].succeeded());
}

TEST_F(LargeConversations, UnreadableLogEndsTheHostsTurnWithAnError) {
  bench.script = much_text;
  serve(false, true);
  Signal reads(bench.loop);
  side.reads = &reads;
  prompt("hello");
  prompt("again");
  bench.store.unreadable = true;
  side.reads = nullptr;
  reads.notify_all();
  settle_long();
  ASSERT_EQ(side.results.size(), 2U);
  EXPECT_THAT(side.results[0].errors.json, HasSubstr("cannot be read"));
  EXPECT_THAT(side.results[1].errors.json, HasSubstr("cannot be read"));
}

TEST_F(LargeConversations, RemovedConversationEndsItsTurnWithAResult) {
  bench.script = [](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    PARLANCE_CO_TRY(answer, co_await turn.ask({.title = "t", .options = {{.id = "y", .kind = hub::OptionKind::allow_once}}}));
    static_cast<void>(answer);
    co_return hub::StopReason::end_turn;
  };
  serve(false, true, true);
  side.answer = {claude::Deny{.message = "no"}};
  prompt("hello");
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(conversation, hub::RemoveConversation{})));
  prompt("again");
  ASSERT_EQ(side.results.size(), 2U);
  EXPECT_THAT(side.results[1].errors.json, HasSubstr("is gone"));
}

TEST_F(LargeConversations, PlanIsSentAsClaudeCodesPlanCall) {
  bench.script = [](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    turn.emit(hub::event::Text{"I begin"});
    turn.emit(hub::event::Plan{.entries = {{.content = "look", .status = hub::PlanStatus::completed},
                                           {.content = "mend", .status = hub::PlanStatus::in_progress},
                                           {.content = "test"}}});
    turn.emit(hub::event::Text{"done"});
    co_return hub::StopReason::end_turn;
  };
  serve(false, true);
  prompt("hello");
  std::vector<hub::PlanEntry> plan;
  std::size_t results = 0;
  for (const std::string& line : side.lines) {
    if (line.find(R"("name":"TodoWrite")") != std::string::npos && line.starts_with(R"({"type":"assistant")"))
      EXPECT_THAT(line, HasSubstr(R"("todos":[{"content":"look","status":"completed","activeForm":"look"},)"
                                  R"({"content":"mend","status":"in_progress","activeForm":"mend"},)"
                                  R"({"content":"test","status":"pending","activeForm":"test"}])"));
    results += line.find("Todos have been modified") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(results, 1U);
  EXPECT_EQ(side.text, "I begindone");
  EXPECT_EQ(side.inputs.size(), 1U);
}

// ---- editable parts of a proposal, changed by a host

struct EditingHost : HubOverClaude {
  std::optional<hub::AskAnswer> ask(std::string updated_input) {
    std::optional<hub::AskAnswer> received;
    bench.script = [&received](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
      turn.emit(hub::event::ToolStart{.call = "c1", .tool = "run_command", .title = "ls", .input_json = R"({"command":"ls"})"});
      hub::AskRequest request{.call = "c1",
                              .tool = "run_command",
                              .title = "ls",
                              .detail = "ls",
                              .options = hub::once_offer(),
                              .editable = hub::EditablePart::command};
      PARLANCE_CO_TRY(answer, co_await turn.ask(std::move(request)));
      received = answer;
      co_return hub::StopReason::end_turn;
    };
    serve();
    side.answer = {claude::Allow{.updated_input = {std::move(updated_input)}}};
    prompt("go");
    return received;
  }
};

TEST_F(EditingHost, ItsUpdatedInputIsTheEditedPart) {
  const auto received = ask(R"({"command":"ls -l"})");
  ASSERT_TRUE(received);
  EXPECT_TRUE(received->allowed());
  EXPECT_EQ(received->edited, "ls -l");
}

TEST_F(EditingHost, OtherInputChangesAreRefused) {
  const auto received = ask(R"({"command":"ls -l","timeout":5})");
  ASSERT_TRUE(received);
  EXPECT_FALSE(received->allowed());
  EXPECT_FALSE(received->edited);
}

}  // namespace
}  // namespace parlance::face
