// SPDX-License-Identifier: Apache-2.0
// A host of Claude Code against parlance, with a scripted agent.
#include "parlance/face/claude/hub_over_claude.h"

#include "parlance/face/claude/prompts.h"
#include "parlance/face/claude/test_support.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/conversation/usage.h"

namespace parlance::face {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A turn with a thought, text, and a call with a request.
Task<Result<hub::StopReason>> turn_with_a_tool(hub::Turn& turn, hub::Prompt prompt) {
  turn.emit(hub::event::ThinkingStart{});
  turn.emit(hub::event::ThinkingContent{"hm"});
  turn.emit(hub::event::ThinkingEnd{});
  turn.emit(hub::event::Text{"You said " + prompt.text});
  turn.emit(hub::event::ToolStart{.call = "c1", .tool = "run_command", .title = "ls", .input_json = R"({"command":"ls"})"});
  hub::ToolIntent intent{.kind = hub::ToolKind::execute, .title = "ls", .command = "ls"};
  PARLANCE_CO_TRY(answer, co_await turn.ask({.call = "c1", .tool = "run_command", .intent = intent}));
  turn.emit(hub::event::ToolOutput{"c1", answer.allowed() ? "a b" : "no: " + answer.text});
  turn.emit(hub::event::ToolEnd{"c1", answer.allowed() ? hub::ToolEndState::done : hub::ToolEndState::rejected});
  turn.emit(hub::event::Usage{.input_tokens = 3, .output_tokens = 4, .cost = hub::Cost{.amount = 0.5}});
  co_return hub::StopReason::end_turn;
}

class HubOverClaudeReads : public HubOverClaude, public ::testing::WithParamInterface<bool> {};
INSTANTIATE_TEST_SUITE_P(OneByteAtATime, HubOverClaudeReads, ::testing::Bool());

TEST_P(HubOverClaudeReads, TurnWithAnAllowedTool) {
  bench.script = turn_with_a_tool;
  serve(GetParam());
  prompt("hello");
  EXPECT_EQ(side.text, "You said hello") << "sent in pieces and once more whole, read once";
  EXPECT_EQ(side.thought, "hm");
  ASSERT_EQ(side.asked.size(), 1U);
  EXPECT_EQ(side.asked[0].tool_name, "Bash");
  EXPECT_EQ(side.asked[0].input.json, R"({"command":"ls"})");
  EXPECT_THAT(side.inputs, ElementsAre(R"({"command":"ls"})"));
  EXPECT_THAT(side.ends, ElementsAre(hub::ToolEndState::done));
  ASSERT_EQ(side.results.size(), 1U);
  EXPECT_TRUE(side.results[0].succeeded());
  EXPECT_EQ(side.results[0].result, "You said hello");
  EXPECT_EQ(side.results[0].total_cost_usd, 0.5);
  EXPECT_EQ(side.results[0].usage->output_tokens, 4U);
  EXPECT_EQ(side.session_id, "00000000-0000-4000-8000-000000000001");
  EXPECT_EQ(side.kinds.front(), "system/init");
  EXPECT_EQ(side.kinds.back(), "result/success");
}

TEST_F(HubOverClaude, RefusalReachesAgentAndResult) {
  bench.script = turn_with_a_tool;
  side.answer = {claude::Deny{.message = "not this one"}};
  serve(false, false);
  prompt("hello");
  ASSERT_EQ(side.results.size(), 1U);
  EXPECT_THAT(side.results[0].denials.json, HasSubstr(R"("tool_use_id":"c1")"));
  EXPECT_EQ(side.text, "You said hello");
}

TEST_F(HubOverClaude, ChangedInputIsRefused) {
  bench.script = turn_with_a_tool;
  side.answer = {claude::Allow{.updated_input = {R"({"command":"rm"})"}}};
  serve();
  prompt("hello");
  EXPECT_THAT(side.ends, ElementsAre(hub::ToolEndState::failed)) << "to the host a refused tool is one that failed";
  EXPECT_THAT(side.results.at(0).denials.json, HasSubstr("c1"));
}

TEST_F(HubOverClaude, RequestsAreRefusedWithoutAPromptTool) {
  bench.script = turn_with_a_tool;
  serve(false, true, false);
  prompt("hello");
  EXPECT_TRUE(side.asked.empty());
  EXPECT_THAT(side.results.at(0).denials.json, HasSubstr("c1"));
}

TEST_F(HubOverClaude, ModeDontAskRefusesRequests) {
  bench.script = turn_with_a_tool;
  serve();
  const auto set = [](claude::Host& host, std::string mode, bool taken) -> Task<void> {
    EXPECT_EQ((co_await host.set_permission_mode(mode)).has_value(), taken) << mode;
  };
  scope.start(set(*host, "dontAsk", true));
  scope.start(set(*host, "auto", false));
  prompt("hello");
  EXPECT_TRUE(side.asked.empty());
  EXPECT_THAT(side.results.at(0).denials.json, HasSubstr("c1"));
  EXPECT_THAT(side.lines, ::testing::Contains(HasSubstr(R"("permissionMode":"dontAsk")")));
  scope.start(set(*host, "default", true));
  prompt("again");
  EXPECT_EQ(side.asked.size(), 1U);
}

TEST_F(HubOverClaude, ChangedModeOfTheAgentIsReported) {
  bench.script = [](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    turn.set_mode(hub::Mode::default_);
    co_return hub::StopReason::end_turn;
  };
  serve();
  const auto set = [](claude::Host& host) -> Task<void> { EXPECT_TRUE(co_await host.set_permission_mode("plan")); };
  scope.start(set(*host));
  prompt("a plan that is approved");
  prompt("once more");
  ASSERT_GE(side.modes.size(), 3U);
  EXPECT_EQ(side.modes.at(1), "plan") << "the first init";
  EXPECT_EQ(side.modes.back(), "default");
}

TEST_F(HubOverClaude, MessagesOfOthersAreUserLines) {
  serve();
  prompt("of the host");
  const auto user_lines = [&] {
    std::vector<std::string> lines;
    std::ranges::copy_if(side.lines, std::back_inserter(lines),
                         [](const std::string& line) { return line.contains(R"("type":"user")"); });
    return lines;
  };
  EXPECT_THAT(user_lines(), testing::IsEmpty());
  const auto ann = std::make_shared<const hub::Caller>(hub::Caller{.user = "user_ann", .name = "ann"});
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(conversation, hub::SendPrompt{.text = "of a page"}, ann)));
  settle();
  EXPECT_THAT(user_lines(), ElementsAre(AllOf(HasSubstr("ann: of a page"), HasSubstr(R"("isSynthetic":true)"))));
}

TEST_F(HubOverClaude, HookDecidesBeforeTheHost) {
  bench.script = turn_with_a_tool;
  side.hook_output =
      R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"hooked"}})";
  serve();
  claude::Initialize what;
  what.hooks.state = decltype(what.hooks)::State::value;
  what.hooks.value["PreToolUse"] = {{.matcher = "Ba.*", .callback_ids = {"h"}}};
  const auto begin = [](claude::Host& host, claude::Initialize with) -> Task<void> {
    EXPECT_TRUE(co_await host.initialize(std::move(with)));
  };
  scope.start(begin(*host, what));
  prompt("hello");
  ASSERT_EQ(side.hooks.size(), 1U);
  EXPECT_THAT(side.hooks[0], HasSubstr(R"("tool_name":"Bash")"));
  EXPECT_TRUE(side.asked.empty());
  EXPECT_THAT(side.results.at(0).denials.json, HasSubstr("c1"));
}

// Claude Code's matchers: words are whole names, other text is an expression that matches anywhere.
TEST_F(HubOverClaude, HooksMatchWholeNamesOrExpressions) {
  bench.script = turn_with_a_tool;
  serve();
  claude::Initialize what;
  what.hooks.state = decltype(what.hooks)::State::value;
  what.hooks.value["PreToolUse"] = {{.matcher = "Bas", .callback_ids = {"part"}},
                                    {.matcher = "(Bas", .callback_ids = {"faulty"}},
                                    {.matcher = "(?!Read)Bash|Write", .callback_ids = {"fits"}},
                                    {.matcher = "Write|Bash", .callback_ids = {"words"}},
                                    {.matcher = "^Ba", .callback_ids = {"begins"}},
                                    {.callback_ids = {"any"}}};
  const auto begin = [](claude::Host& host, claude::Initialize with) -> Task<void> {
    EXPECT_TRUE(co_await host.initialize(std::move(with)));
  };
  scope.start(begin(*host, what));
  prompt("hello");
  EXPECT_THAT(side.called, ElementsAre("fits", "words", "begins", "any"));
}

TEST_F(HubOverClaude, SystemPromptsOfTheHostReachTheAgent) {
  std::vector<hub::PromptOptions> given;
  bench.script = [&](hub::Turn&, hub::Prompt prompt) -> Task<Result<hub::StopReason>> {
    given.push_back(prompt.options);
    co_return hub::StopReason::end_turn;
  };
  const auto begin = [](claude::Host& host, claude::Initialize with) -> Task<void> {
    EXPECT_TRUE(co_await host.initialize(std::move(with)));
  };
  serve(false, true, true, {.system = "of the flag", .append_system = "of the flag"});
  prompt("no initialize");
  for (const char* system : {"", R"([""])", R"("one")", R"(["one","__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__","two"])"}) {
    scope.start(begin(*host, {.system_prompt = {system}, .append_system_prompt = "more"}));
    prompt("hello");
  }
  EXPECT_THAT(given, ElementsAre(hub::PromptOptions{.system = "of the flag", .append_system = "of the flag"},
                                 hub::PromptOptions{.system = "of the flag", .append_system = "more"},
                                 hub::PromptOptions{.system = "", .append_system = "more"},
                                 hub::PromptOptions{.system = "one", .append_system = "more"},
                                 hub::PromptOptions{.system = "one\n\ntwo", .append_system = "more"}));
}

TEST_F(HubOverClaude, ToolsForbiddenByInitializeAreRefused) {
  bench.script = turn_with_a_tool;
  serve();
  const auto begin = [](claude::Host& host, claude::Initialize with) -> Task<void> {
    EXPECT_TRUE(co_await host.initialize(std::move(with)));
  };
  scope.start(begin(*host, {.disallowed_tools = std::vector<std::string>{"run_command"}}));
  prompt("hello");
  EXPECT_TRUE(side.asked.empty());
  EXPECT_THAT(side.results.at(0).denials.json, HasSubstr("c1"));
  const auto fail = [](claude::Host& host, claude::Initialize with) -> Task<void> {
    EXPECT_THAT((co_await host.initialize(std::move(with))).error().message, HasSubstr("$.mcpServers.a"));
  };
  scope.start(fail(*host, {.mcp_servers = {R"({"a":{"type":"http"}})"}}));
  settle();
}

TEST_F(HubOverClaude, ResultSchemaIsRefusedWithoutToolSupport) {
  serve();
  std::string reason;
  const auto begin = [](claude::Host& host, claude::Initialize with, std::string& into) -> Task<void> {
    const auto done = co_await host.initialize(std::move(with));
    into = done ? "taken" : done.error().message;
  };
  scope.start(begin(*host, {.json_schema = {R"({"type":"object"})"}}, reason));
  settle();
  EXPECT_THAT(reason, HasSubstr("jsonSchema: this agent gives no structured output"));
  scope.start(begin(*host, {.agents = {R"({"a":{}})"}, .json_schema = {"null"}}, reason));
  settle();
  EXPECT_EQ(reason, "taken");
}

TEST_F(HubOverClaude, HostWithManyLinesWaits) {
  std::size_t turns = 0;
  bench.script = [&](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    ++turns;
    turn.emit(hub::event::Text{"ok"});
    co_await sleep_for(bench.loop, std::chrono::hours(1));
    co_return hub::StopReason::end_turn;
  };
  settings.replay_user_messages = true;  // shows the read messages
  serve();
  for (std::size_t i = 0; i < 3 * most_read_prompts; ++i) ASSERT_TRUE(host->send_text("go"));
  settle();
  EXPECT_EQ(std::ranges::count(side.kinds, "user"), most_read_prompts + 1) << "one runs";
  for (std::size_t i = 0; i < 3 * most_read_prompts; ++i) {
    bench.loop.advance(std::chrono::hours(1));
    settle();
  }
  EXPECT_EQ(turns, 3 * most_read_prompts);
  EXPECT_EQ(side.results.size(), 3 * most_read_prompts);
}

TEST_F(HubOverClaude, NumberOfWaitingPromptsIsBounded) {
  bench.script = [](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    while (!turn.cancelled())
      PARLANCE_CO_TRY_DO(
          co_await turn.ask({.kind = hub::AskKind::question, .questions = std::vector<hub::Question>{{.question = "When?"}}}));
    co_return hub::StopReason::end_turn;
  };
  side.silent = true;  // the first turn never ends
  serve();
  for (std::size_t i = 0; i < most_waiting_prompts + 3; ++i) ASSERT_TRUE(host->send_text("go"));
  settle();
  EXPECT_THAT(side.kinds, ::testing::Contains("result/error_during_execution").Times(2)) << "one runs, the rest waits";
}

TEST_F(HubOverClaude, PicturesOfTheHostReachTheAgent) {
  std::vector<hub::Attachment> seen;
  std::string text;
  bench.script = [&](hub::Turn& turn, hub::Prompt prompt) -> Task<Result<hub::StopReason>> {
    text = prompt.text;
    for (const hub::AttachmentInfo& about : prompt.attachments) {
      PARLANCE_CO_TRY(one, co_await turn.attachment(about.id));
      seen.push_back(std::move(one));
    }
    co_return hub::StopReason::end_turn;
  };
  serve();
  claude::UserMessage message;
  message.message.content.json = R"([{"type":"image","source":{"type":"base64","media_type":"image/png","data":"YWJj"}},)"
                                 R"({"type":"text","text":"what is it?"},{"type":"hologram"}])";
  ASSERT_TRUE(host->send_user(message));
  settle();
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].data, "abc");
  EXPECT_THAT(text, HasSubstr("what is it?\n\n(With this message came a block of the type hologram"));
  EXPECT_TRUE(side.results.at(0).succeeded());
}

TEST_F(HubOverClaude, TurnLimitIsTheAgentsAndInTheResult) {
  std::vector<hub::PromptOptions> given;
  bench.script = [&](hub::Turn& turn, hub::Prompt prompt) -> Task<Result<hub::StopReason>> {
    given.push_back(prompt.options);
    turn.emit(hub::event::ToolStart{.call = "c1", .tool = "read_file", .title = "a"});
    turn.emit(hub::event::ToolEnd{"c1", hub::ToolEndState::done});
    co_return hub::StopReason::max_turns;
  };
  serve(false, true, true, {.most_rounds = 1});
  prompt("hello");
  EXPECT_THAT(given, ElementsAre(hub::PromptOptions{.most_rounds = 1}));
  ASSERT_EQ(side.results.size(), 1U);
  EXPECT_EQ(side.results[0].subtype, "error_max_turns");
  EXPECT_TRUE(side.results[0].is_error);
  EXPECT_EQ(side.results[0].num_turns, 2);
  EXPECT_EQ(side.results[0].terminal_reason, "max_turns");
  EXPECT_THAT(side.results[0].errors.json, HasSubstr("Reached maximum number of turns (1)"));
}

TEST_F(HubOverClaude, ContinuedTurnHasTheLimitOfASingleTurn) {
  std::vector<std::optional<std::uint32_t>> given;
  bench.script = [&](hub::Turn& turn, hub::Prompt prompt) -> Task<Result<hub::StopReason>> {
    given.push_back(prompt.options.most_rounds);
    turn.emit(hub::event::Text{"answer"});
    turn.emit(hub::event::Usage{.input_tokens = 3, .output_tokens = 4});
    co_return hub::StopReason::end_turn;
  };
  side.hook_output = R"({"decision":"block","reason":"go on"})";
  serve(false, true, true, {.most_rounds = 3});
  claude::Initialize what;
  what.hooks.state = decltype(what.hooks)::State::value;
  what.hooks.value["Stop"] = {{.callback_ids = {"s"}}};
  const auto begin = [](claude::Host& host, claude::Initialize with) -> Task<void> {
    EXPECT_TRUE(co_await host.initialize(std::move(with)));
  };
  scope.start(begin(*host, what));
  prompt("hello");
  EXPECT_THAT(given, ElementsAre(3U, 2U, 1U));
  ASSERT_EQ(side.results.size(), 1U);
  EXPECT_EQ(side.results[0].subtype, "error_max_turns");
  EXPECT_EQ(side.results[0].num_turns, 4);
  EXPECT_EQ(side.results[0].usage->output_tokens, 12U) << "of all of it";
  side.hook_output = "{}";
  prompt("again");
  EXPECT_EQ(given.back(), 3U);
  EXPECT_EQ(side.results.at(1).num_turns, 1);
}

TEST_F(HubOverClaude, AQuestionIsAnsweredThroughTheSameDoor) {
  std::vector<std::vector<std::string>> answers;
  bench.script = [&](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    PARLANCE_CO_TRY(answer,
                    co_await turn.ask({.kind = hub::AskKind::question,
                                       .title = "Which one?",
                                       .questions = std::vector<hub::Question>{
                                           {.question = "Which one?", .options = {{.label = "Red"}, {.label = "Blue"}}}}}));
    answers = answer.answers;
    co_return hub::StopReason::end_turn;
  };
  serve();
  prompt("ask me");
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_THAT(answers[0], ElementsAre("Blue"));
}

TEST_F(HubOverClaude, BuiltInAgentRefusesClaudeCodesOwnRequests) {
  serve();
  const auto ask = [](claude::Host& host) -> Task<void> {
    EXPECT_EQ((co_await host.request("get_context_usage", {"{}"})).error().code, Errc::unknown_method);
  };
  scope.start(ask(*host));
  settle();
}

TEST_F(HubOverClaude, PromptsWaitForEachOtherAndTheEndOfInputForAll) {
  serve();
  ASSERT_TRUE(host->send_text("one"));
  ASSERT_TRUE(host->send_text("two"));
  host->close_input();
  settle();
  EXPECT_EQ(side.results.size(), 2U);
  EXPECT_EQ(std::ranges::count(side.kinds, "system/init"), 2);
  EXPECT_TRUE(ended);
}

TEST_F(HubOverClaude, InterruptEndsTheTurnAndModeChangeIsReported) {
  bench.script = [&](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    while (!turn.cancelled()) co_await sleep_for(bench.loop, std::chrono::milliseconds(10));
    co_return hub::StopReason::cancelled;
  };
  serve();
  ASSERT_TRUE(host->send_text("wait"));
  while (bench.loop.run_ready()) {}
  const auto both = [](claude::Host& host) -> Task<void> {
    EXPECT_TRUE(co_await host.set_permission_mode("plan"));
    EXPECT_TRUE(co_await host.interrupt());
  };
  scope.start(both(*host));
  settle();
  ASSERT_EQ(side.results.size(), 1U);
  EXPECT_EQ(side.results[0].subtype, "error_during_execution");
  EXPECT_THAT(side.modes, ::testing::Contains("plan"));
}

}  // namespace
}  // namespace parlance::face
