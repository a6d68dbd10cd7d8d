// Our Claude host drives our stand-in for Claude Code over a pipe in memory; behind it an agent that does what the test says.
#include "service/hub_over_claude.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hub/test_support.h"
#include "protocol/claude/host.h"
#include "service/claude_events.h"
#include "transport/framed_stream.h"
#include "transport/memory.h"

namespace parlance::service {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Keeps what the host sees: lines, and what they mean to a conversation.
struct HostSide final : claude::HostHandler, ClaudeEvents::Sink {
  void on_line(const claude::StreamLine& line) override {
    kinds.push_back(std::string(line.type) + (line.subtype.empty() ? "" : "/" + std::string(line.subtype)));
    lines.emplace_back(line.json);
    events.line(line);
  }
  Task<Result<claude::PermissionResult>> can_use_tool(const claude::CanUseTool& request) override {
    asked.push_back(request);
    if (request.tool_name == "AskUserQuestion") {
      json::Value input = *json::parse(request.input.json);
      json::Object answers;
      answers.set("Which one?", "Blue");
      input.object()->set("answers", std::move(answers));
      co_return claude::PermissionResult{claude::Allow{.updated_input = {json::to_text(input)}}};
    }
    co_return answer;
  }
  Task<Result<wire::Raw>> hook_callback(claude::HookCallback request) override {
    hooks.push_back(request.input.json);
    called.push_back(request.callback_id);
    co_return wire::Raw{hook_output};
  }
  Task<Result<claude::McpReply>> mcp_message(claude::McpMessage) override { co_return claude::McpReply{}; }
  void emit(hub::EventBody body) override {
    if (const auto* piece = std::get_if<hub::event::Text>(&body)) text += piece->text;
    if (const auto* piece = std::get_if<hub::event::ThinkingContent>(&body)) thought += piece->text;
    if (const auto* end = std::get_if<hub::event::ToolEnd>(&body)) ends.push_back(end->state);
    if (const auto* start = std::get_if<hub::event::ToolStart>(&body)) inputs.push_back(start->input_json);
  }
  void session(std::string_view id) override { session_id = id; }
  void permission_mode(std::string_view mode) override { modes.emplace_back(mode); }
  void result(claude::TurnResult one) override { results.push_back(std::move(one)); }

  ClaudeEvents events{*this};
  claude::PermissionResult answer{claude::Allow{}};
  std::string hook_output = "{}";
  std::string text;
  std::string thought;
  std::string session_id;
  std::vector<std::string> kinds;
  std::vector<std::string> lines;
  std::vector<std::string> modes;
  std::vector<std::string> inputs;
  std::vector<std::string> hooks;
  std::vector<std::string> called;
  std::vector<hub::ToolEndState> ends;
  std::vector<claude::CanUseTool> asked;
  std::vector<claude::TurnResult> results;
};

struct HubOverClaude : ::testing::Test {
  void serve(bool one_byte = false, bool partial = true, bool asks = true, hub::PromptOptions options = {}) {
    conversation = bench.conversation();
    auto [near, far] = memory_pair(bench.loop, {.one_byte_reads = one_byte});
    host = std::make_unique<claude::Host>(bench.loop, framed_stream(bench.loop, std::move(near), line_framing()), side);
    const auto run_host = [](claude::Host& one) -> Task<void> { static_cast<void>(co_await one.run()); };
    const auto run_face = [](Task<Error> face, bool& over) -> Task<void> {
      static_cast<void>(co_await std::move(face));
      over = true;
    };
    scope.start(run_host(*host));
    scope.start(run_face(serve_hub_over_claude(bench.loop, *bench.hub, framed_stream(bench.loop, std::move(far), line_framing()),
                                               {.conversation = conversation,
                                                .session_id = "00000000-0000-4000-8000-000000000001",
                                                .version = "1",
                                                .partial_messages = partial,
                                                .relay = relay,
                                                .options = options,
                                                .asks = asks}),
                         ended));
  }
  void settle() {
    for (int i = 0; i < 50; ++i) {
      while (bench.loop.run_ready()) {}
      bench.loop.advance(std::chrono::milliseconds(20));
    }
  }
  void prompt(std::string_view text) {
    ASSERT_TRUE(host->send_text(text));
    settle();
  }
  ~HubOverClaude() override {
    scope.cancel();
    host.reset();
  }

  hub::test::Bench bench;
  ClaudeRelay of_claude{bench.loop};
  ClaudeRelay* relay = nullptr;  // or `of_claude`
  HostSide side;
  std::string conversation;
  std::unique_ptr<claude::Host> host;
  bool ended = false;
  Scope scope{bench.loop};
};

// A turn with a thought, text, and a call that is asked about.
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
  turn.emit(hub::event::Usage{.input_tokens = 3, .output_tokens = 4, .cost = 0.5});
  co_return hub::StopReason::end_turn;
}

class HubOverClaudeReads : public HubOverClaude, public ::testing::WithParamInterface<bool> {};
INSTANTIATE_TEST_SUITE_P(OneByteAtATime, HubOverClaudeReads, ::testing::Bool());

TEST_P(HubOverClaudeReads, ATurnWithAToolThatTheHostAllows) {
  bench.script = turn_with_a_tool;
  serve(GetParam());
  prompt("hello");
  EXPECT_EQ(side.text, "You said hello") << "told in pieces and once more whole, read once";
  EXPECT_EQ(side.thought, "hm");
  ASSERT_EQ(side.asked.size(), 1U);
  EXPECT_EQ(side.asked[0].tool_name, "run_command");
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

TEST_F(HubOverClaude, ARefusalReachesTheAgentAndTheResultListsIt) {
  bench.script = turn_with_a_tool;
  side.answer = {claude::Deny{.message = "not this one"}};
  serve(false, false);
  prompt("hello");
  ASSERT_EQ(side.results.size(), 1U);
  EXPECT_THAT(side.results[0].denials.json, HasSubstr(R"("tool_use_id":"c1")"));
  EXPECT_EQ(side.text, "You said hello");
}

TEST_F(HubOverClaude, AnotherInputIsRefusedBecauseTheOldOneMustNotRun) {
  bench.script = turn_with_a_tool;
  side.answer = {claude::Allow{.updated_input = {R"({"command":"rm"})"}}};
  serve();
  prompt("hello");
  EXPECT_THAT(side.ends, ElementsAre(hub::ToolEndState::failed)) << "to the host a refused tool is one that failed";
  EXPECT_THAT(side.results.at(0).denials.json, HasSubstr("c1"));
}

TEST_F(HubOverClaude, WithoutAPromptToolNobodyIsAsked) {
  bench.script = turn_with_a_tool;
  serve(false, true, false);
  prompt("hello");
  EXPECT_TRUE(side.asked.empty());
  EXPECT_THAT(side.results.at(0).denials.json, HasSubstr("c1"));
}

TEST_F(HubOverClaude, InTheModeDontAskNobodyIsAskedEither) {
  bench.script = turn_with_a_tool;
  serve();
  const auto set = [](claude::Host& one, std::string mode, bool taken) -> Task<void> {
    EXPECT_EQ((co_await one.set_permission_mode(mode)).has_value(), taken) << mode;
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

TEST_F(HubOverClaude, AModeThatTheAgentLeavesIsToldNoMore) {
  bench.script = [](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    turn.set_mode(hub::Mode::default_);
    co_return hub::StopReason::end_turn;
  };
  serve();
  const auto set = [](claude::Host& one) -> Task<void> { EXPECT_TRUE(co_await one.set_permission_mode("plan")); };
  scope.start(set(*host));
  prompt("a plan that is approved");
  prompt("once more");
  ASSERT_GE(side.modes.size(), 3U);
  EXPECT_EQ(side.modes.at(1), "plan") << "the first init";
  EXPECT_EQ(side.modes.back(), "default");
}

TEST_F(HubOverClaude, AHookOfTheHostDecidesBeforeItIsAsked) {
  bench.script = turn_with_a_tool;
  side.hook_output =
      R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"hooked"}})";
  serve();
  claude::Initialize what;
  what.hooks.state = decltype(what.hooks)::State::value;
  what.hooks.value["PreToolUse"] = {{.matcher = "run_.*", .callback_ids = {"h"}}};
  const auto begin = [](claude::Host& one, claude::Initialize with) -> Task<void> {
    EXPECT_TRUE(co_await one.initialize(std::move(with)));
  };
  scope.start(begin(*host, what));
  prompt("hello");
  ASSERT_EQ(side.hooks.size(), 1U);
  EXPECT_THAT(side.hooks[0], HasSubstr(R"("tool_name":"run_command")"));
  EXPECT_TRUE(side.asked.empty());
  EXPECT_THAT(side.results.at(0).denials.json, HasSubstr("c1"));
}

TEST_F(HubOverClaude, HooksFitByTheWholeNameAndAFaultyPatternFitsNone) {
  bench.script = turn_with_a_tool;
  serve();
  claude::Initialize what;
  what.hooks.state = decltype(what.hooks)::State::value;
  what.hooks.value["PreToolUse"] = {{.matcher = "run", .callback_ids = {"part"}},
                                    {.matcher = "(run", .callback_ids = {"faulty"}},
                                    {.matcher = "(?!read)run_command|Bash", .callback_ids = {"fits"}},
                                    {.callback_ids = {"any"}}};
  const auto begin = [](claude::Host& one, claude::Initialize with) -> Task<void> {
    EXPECT_TRUE(co_await one.initialize(std::move(with)));
  };
  scope.start(begin(*host, what));
  prompt("hello");
  EXPECT_THAT(side.called, ElementsAre("fits", "any"));
}

TEST_F(HubOverClaude, SystemPromptsOfTheHostReachTheAgent) {
  std::vector<hub::PromptOptions> given;
  bench.script = [&](hub::Turn&, hub::Prompt prompt) -> Task<Result<hub::StopReason>> {
    given.push_back(prompt.options);
    co_return hub::StopReason::end_turn;
  };
  const auto begin = [](claude::Host& one, claude::Initialize with) -> Task<void> {
    EXPECT_TRUE(co_await one.initialize(std::move(with)));
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

TEST_F(HubOverClaude, ToolsThatInitializeForbidsAreNotAskedAbout) {
  bench.script = turn_with_a_tool;
  serve();
  const auto begin = [](claude::Host& one, claude::Initialize with) -> Task<void> {
    EXPECT_TRUE(co_await one.initialize(std::move(with)));
  };
  scope.start(begin(*host, {.disallowed_tools = std::vector<std::string>{"run_command"}}));
  prompt("hello");
  EXPECT_TRUE(side.asked.empty());
  EXPECT_THAT(side.results.at(0).denials.json, HasSubstr("c1"));
  const auto fail = [](claude::Host& one, claude::Initialize with) -> Task<void> {
    EXPECT_THAT((co_await one.initialize(std::move(with))).error().message, HasSubstr("$.mcpServers.a"));
  };
  scope.start(fail(*host, {.mcp_servers = {R"({"a":{"type":"http"}})"}}));
  settle();
}

TEST_F(HubOverClaude, AShapeOfTheResultIsRefusedBecauseNoAgentOfOursGivesOne) {
  serve();
  std::string why;
  const auto begin = [](claude::Host& one, claude::Initialize with, std::string& told) -> Task<void> {
    const auto done = co_await one.initialize(std::move(with));
    told = done ? "taken" : done.error().message;
  };
  scope.start(begin(*host, {.json_schema = {R"({"type":"object"})"}}, why));
  settle();
  EXPECT_THAT(why, HasSubstr("jsonSchema: this agent gives no structured output"));
  scope.start(begin(*host, {.agents = {R"({"a":{}})"}, .json_schema = {"null"}}, why));
  settle();
  EXPECT_EQ(why, "taken");
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

TEST_F(HubOverClaude, TheLimitOfTurnsIsTheAgentsToKeepAndTheResultTellsIt) {
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

TEST_F(HubOverClaude, ATurnThatAStopHookProlongsHasTheLimitOfOne) {
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
  const auto begin = [](claude::Host& one, claude::Initialize with) -> Task<void> {
    EXPECT_TRUE(co_await one.initialize(std::move(with)));
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

// ---- with a Claude Code that answers (the agent's end of the relay is the test's)

TEST_F(HubOverClaude, WhatClaudeCodeSaysGoesToTheHostAsItStands) {
  relay = &of_claude;
  const auto say = [&](std::string_view type, std::string_view subtype, std::string_view members) {
    const std::string json = R"({"type":")" + std::string(type) + R"(","subtype":")" + std::string(subtype) +
                             R"(","session_id":"of its own",)" + std::string(members) + "}";
    of_claude.line({.json = json, .type = type, .subtype = subtype, .session_id = "of its own"});
  };
  bench.script = [&](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    say("system", "init", R"("permissionMode":"default","tools":["Read"])");
    say("stream_event", "", R"("event":{})");
    say("assistant", "", R"("uuid":"u1","message":{"content":[{"type":"text","text":"hi"}]})");
    say("result", "error_max_budget_usd", R"("is_error":true,"structured_output":{"a":[1]})");
    turn.emit(hub::event::Text{"hi"});
    co_return hub::StopReason::error;
  };
  serve(false, false);
  ASSERT_TRUE(bench.loop.block_on(bench.hub->set(conversation, {.mode = hub::Mode::plan})));
  prompt("hello");
  EXPECT_THAT(side.kinds, ElementsAre("system/init", "assistant", "result/error_max_budget_usd")) << "once, and in its order";
  for (const std::string& line : side.lines)
    EXPECT_THAT(line, HasSubstr(R"("session_id":"00000000-0000-4000-8000-000000000001")"));
  EXPECT_THAT(side.lines.at(0), HasSubstr(R"("permissionMode":"plan")"));
  EXPECT_THAT(side.lines.at(1), HasSubstr(R"("uuid":"u1")"));
  EXPECT_THAT(side.lines.at(2), HasSubstr(R"("structured_output":{"a":[1]})"));
}

TEST_F(HubOverClaude, AClaudeCodeThatSaysNothingStillHasAnInitAndAResult) {
  relay = &of_claude;
  bench.script = [](hub::Turn&, hub::Prompt) -> Task<Result<hub::StopReason>> { co_return fail(Errc::not_found, "no claude"); };
  serve();
  prompt("hello");
  prompt("again");
  EXPECT_THAT(side.kinds, ElementsAre("system/init", "result/success", "system/init", "result/success"));
  EXPECT_TRUE(side.results.at(1).is_error);
  EXPECT_EQ(side.results.at(1).result, "no claude");
}

TEST_F(HubOverClaude, HooksOfTheHostAreThoseOfTheClaudeCode) {
  relay = &of_claude;
  serve();
  claude::Initialize what;
  what.hooks.state = decltype(what.hooks)::State::value;
  what.hooks.value["Stop"] = {{.callback_ids = {"s"}}};
  what.system_prompt = {R"("a text")"};
  const auto begin = [](claude::Host& one, claude::Initialize with) -> Task<void> {
    EXPECT_TRUE(co_await one.initialize(std::move(with)));
  };
  scope.start(begin(*host, what));
  side.hook_output = R"({"decision":"block"})";
  prompt("hello");
  EXPECT_TRUE(side.called.empty()) << "nobody but Claude Code asks";
  EXPECT_EQ(of_claude.initialize.hooks.value.at("Stop").at(0).callback_ids, std::vector<std::string>{"s"});
  EXPECT_EQ(of_claude.initialize.system_prompt.json, "") << "it goes with each prompt";
  const auto answer = bench.loop.block_on(
      of_claude.hook({.callback_id = "s", .input = {R"({"session_id":"of its own","permission_mode":"default","x":1})"}}));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->json, R"({"decision":"block"})");
  EXPECT_THAT(side.hooks,
              ElementsAre(R"({"session_id":"00000000-0000-4000-8000-000000000001","permission_mode":"default","x":1})"));
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

TEST_F(HubOverClaude, AnInterruptEndsTheTurnAndAModeIsTold) {
  bench.script = [&](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    while (!turn.cancelled()) co_await sleep_for(bench.loop, std::chrono::milliseconds(10));
    co_return hub::StopReason::cancelled;
  };
  serve();
  ASSERT_TRUE(host->send_text("wait"));
  while (bench.loop.run_ready()) {}
  const auto both = [](claude::Host& one) -> Task<void> {
    EXPECT_TRUE(co_await one.set_permission_mode("plan"));
    EXPECT_TRUE(co_await one.interrupt());
  };
  scope.start(both(*host));
  settle();
  ASSERT_EQ(side.results.size(), 1U);
  EXPECT_EQ(side.results[0].subtype, "error_during_execution");
  EXPECT_THAT(side.modes, ::testing::Contains("plan"));
}

}  // namespace
}  // namespace parlance::service
