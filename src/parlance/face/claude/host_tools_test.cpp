// SPDX-License-Identifier: Apache-2.0
// Hooks, rules and answers of a host around tool calls of the built-in agent: executed calls, and messages to host and model.
#include "parlance/face/claude/host_tools.h"

#include "parlance/face/claude/test_support.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/toolbox/claude_named_tools.h"
#include "parlance/toolbox/tool_run.h"

namespace parlance::face {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// The arguments define the intent; executed calls are recorded.
struct FakeTools final : hub::Tools {
  std::vector<hub::ToolSpec> list() const override { return {{.name = "run_command"}, {.name = "read_file"}}; }
  Task<Result<hub::ToolIntent>> intent(const hub::SessionSetup&, const hub::ToolCall& call) override {
    const json::Value arguments = json::parse_or_null(call.arguments_json);
    if (call.tool == "read_file")
      co_return hub::ToolIntent{.kind = hub::ToolKind::read, .title = "a", .path = "/project/a", .path_inside = true};
    if (call.tool == "run_command")
      co_return hub::ToolIntent{.kind = hub::ToolKind::execute,
                                .title = std::string(arguments.text_or("command", "")),
                                .command = std::string(arguments.text_or("command", ""))};
    co_return fail(Errc::not_found, "there is no tool called " + call.tool);
  }
  Task<hub::ToolOutcome> call(const hub::SessionSetup&, const hub::ToolCall& call, hub::ToolHost host) override {
    if (request)
      if (const auto answer = co_await host.ask(*request); answer && !answer->allowed())
        co_return hub::ToolOutcome{.state = hub::ToolEndState::failed, .text = "refused: " + answer->text};
    ran.push_back(call.tool + " " + call.arguments_json.json());
    if (fails) co_return hub::ToolOutcome{.state = hub::ToolEndState::failed, .text = "Exit code 1"};
    co_return hub::ToolOutcome{.text = "done"};
  }
  bool fails = false;
  std::optional<hub::AskRequest> request{};  // from the tool's server, during the call
  std::vector<std::string> ran;
};

struct HostToolsTest : HubOverClaude {
  HostToolsTest() {
    settings.port = &port;
    bench.script = [this](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
      for (hub::ToolCall call : calls) {
        call = port.hooks->named(turn.setup(), std::move(call));
        co_await toolbox::announce_tool(turn, named, call);
        PARLANCE_CO_TRY(after, co_await toolbox::carry_out_tool(turn, named, call, {}, port.hooks));
        if (after == toolbox::AfterTool::turn_ends) co_return hub::StopReason::end_turn;
      }
      turn.emit(hub::event::Text{"over"});
      co_return hub::StopReason::end_turn;
    };
  }
  void begin(std::string event = "PreToolUse", std::optional<std::string> on_failure = {},
             std::optional<std::string> matcher = {}) {
    serve();
    claude::Initialize what;
    what.hooks.state = decltype(what.hooks)::State::value;
    what.hooks.value[event] = {{.matcher = std::move(matcher), .callback_ids = {"h"}, .on_failure = std::move(on_failure)}};
    const auto initialize = [](claude::Host& host, claude::Initialize with) -> Task<void> {
      EXPECT_TRUE(co_await host.initialize(std::move(with)));
    };
    scope.start(initialize(*host, what));
  }
  void mode(std::string name) {
    const auto set = [](claude::Host& host, std::string to) -> Task<void> { EXPECT_TRUE(co_await host.set_permission_mode(to)); };
    scope.start(set(*host, std::move(name)));
    settle();
  }
  static std::string decided(std::string_view decision, std::string_view more = "") {
    return R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":")" + std::string(decision) +
           R"(","permissionDecisionReason":"hooked")" + std::string(more) + "}}";
  }
  std::string results() const {  // of tools, as sent to the host
    std::string all;
    for (const std::string& line : side.lines)
      if (line.contains("tool_result")) all += line + "\n";
    return all;
  }

  toolbox::ToolHooksPort port;
  FakeTools tools;
  toolbox::ClaudeNamedTools named{tools};
  std::vector<hub::ToolCall> calls{{.id = "c1", .tool = "run_command", .arguments_json = R"({"command":"touch made"})"}};
};

class HooksInEveryMode : public HostToolsTest, public ::testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Modes, HooksInEveryMode, ::testing::Values("default", "acceptEdits", "bypassPermissions", "plan"));

TEST_P(HooksInEveryMode, ADenialHoldsForReadsAndCommands) {
  calls.push_back({.id = "c2", .tool = "Read", .arguments_json = R"({"file_path":"/project/a"})"});
  side.hook_output = decided("deny");
  begin();
  mode(GetParam());
  prompt("hello");
  EXPECT_TRUE(tools.ran.empty());
  ASSERT_EQ(side.hooks.size(), 2U);
  EXPECT_THAT(side.hooks[0], HasSubstr(R"("tool_name":"Bash","tool_input":{"command":"touch made"},"tool_use_id":"c1")"));
  EXPECT_THAT(side.hooks[1], HasSubstr(R"("tool_name":"Read")"));
  EXPECT_THAT(side.hooks[1], HasSubstr(R"("permission_mode":")" + std::string(GetParam()) + '"'));
  EXPECT_THAT(results(), HasSubstr(R"("content":"hooked","is_error":true)"));
  EXPECT_THAT(side.results.at(0).denials.json, HasSubstr("c2"));
  EXPECT_TRUE(side.asked.empty());
}

TEST_F(HostToolsTest, HookAllowsACallAndReplacesItsInput) {
  side.hook_output = decided("allow", R"(,"updatedInput":{"command":"touch other"})");
  begin();
  prompt("hello");
  EXPECT_TRUE(side.asked.empty());
  EXPECT_THAT(tools.ran, ElementsAre(R"(run_command {"command":"touch other"})"));
}

TEST_F(HostToolsTest, AnotherInputOfAHookIsAskedAboutAndShown) {
  side.hook_output = R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"touch other"}}})";
  begin();
  prompt("hello");
  ASSERT_EQ(side.asked.size(), 1U);
  EXPECT_EQ(side.asked[0].input.json, R"({"command":"touch other"})");
  EXPECT_THAT(tools.ran, ElementsAre(R"(run_command {"command":"touch other"})"));
}

TEST_F(HostToolsTest, AskingHookOverridesAllowRules) {
  settings.allowed_tools = {"Bash"};
  side.hook_output = decided("ask");
  side.answer = {claude::Deny{.message = "not this one"}};
  begin();
  for (const char* name : {"default", "bypassPermissions"}) {
    mode(name);
    prompt("hello");
  }
  ASSERT_EQ(side.asked.size(), 2U);
  EXPECT_EQ(claude::text_of(side.asked[0].decision_reason), "hooked");
  EXPECT_EQ(side.asked[0].suggestions.json, "") << "a rule would change nothing";
  EXPECT_TRUE(tools.ran.empty());
  EXPECT_THAT(results(), HasSubstr(R"("content":"not this one")"));
}

TEST_F(HostToolsTest, PlanModeOverridesAnAllowingHook) {
  side.hook_output = decided("allow");
  begin();
  mode("plan");
  prompt("hello");
  EXPECT_TRUE(tools.ran.empty());
}

hub::AskRequest sampling() {
  return {.tool = "sampling of files",
          .title = "files wants an answer of your model",
          .detail = "user:\nhello",
          .options = {{.id = "once", .label = "Allow once", .kind = hub::OptionKind::allow_once},
                      {.id = "reject", .label = "Reject", .kind = hub::OptionKind::reject_once}}};
}

TEST_F(HostToolsTest, HookSeesAndRefusesAnMcpServersRequest) {
  settings.allowed_tools = {"Bash"};
  tools.request = sampling();
  side.hook_output = decided("deny");
  begin("PreToolUse", {}, "sampling of .*");
  mode("bypassPermissions");
  prompt("hello");
  ASSERT_EQ(side.hooks.size(), 1U);
  EXPECT_THAT(side.hooks[0], HasSubstr(R"("tool_name":"sampling of files")"));
  EXPECT_THAT(side.hooks[0], HasSubstr(R"(user:\nhello)"));
  EXPECT_TRUE(tools.ran.empty());
  EXPECT_THAT(results(), HasSubstr("refused: hooked"));
}

TEST_F(HostToolsTest, HostApprovesARequestWithoutReplacingItsText) {
  settings.allowed_tools = {"Bash"};
  tools.request = sampling();
  begin();
  prompt("hello");
  ASSERT_EQ(side.asked.size(), 1U);
  EXPECT_EQ(side.asked[0].tool_name, "sampling of files");
  EXPECT_THAT(side.asked[0].input.json, HasSubstr(R"(user:\nhello)"));
  EXPECT_EQ(tools.ran.size(), 1U);
  side.answer = {claude::Allow{.updated_input = {R"({"detail":"another"})"}}};
  prompt("again");
  EXPECT_EQ(tools.ran.size(), 1U) << "the server's request has no other input";
}

TEST_F(HostToolsTest, StoppingHookEndsTheTurn) {
  settings.allowed_tools = {"Bash"};
  side.hook_output = R"({"continue":false,"stopReason":"enough"})";
  begin();
  prompt("hello");
  EXPECT_EQ(tools.ran.size(), 1U) << "as Claude Code has it, what was begun is done";
  EXPECT_EQ(side.text, "");
  EXPECT_EQ(side.results.at(0).terminal_reason, "hook_stopped");
}

TEST_F(HostToolsTest, FailedHookHasNoOpinionUnlessBlocking) {
  side.hook_output = R"({"decision":"perhaps"})";
  begin();
  prompt("hello");
  EXPECT_EQ(tools.ran.size(), 1U);
}
TEST_F(HostToolsTest, BlockingHookForbidsAfterItsFailure) {
  side.hook_output = R"({"decision":"perhaps"})";
  begin("PreToolUse", "block");
  prompt("hello");
  EXPECT_TRUE(tools.ran.empty());
  EXPECT_THAT(results(), HasSubstr("$.decision: approve or block"));
}

TEST_F(HostToolsTest, RulesOfTheHostForbidAndAllow) {
  settings.disallowed_tools = {"Bash(touch:*)"};
  settings.allowed_tools = {"Bash(ls:*)"};
  calls.push_back({.id = "c2", .tool = "Bash", .arguments_json = R"({"command":"ls -l"})"});
  side.hook_output = decided("allow");
  begin();
  mode("bypassPermissions");
  prompt("hello");
  EXPECT_THAT(tools.ran, ElementsAre(R"(run_command {"command":"ls -l"})"))
      << "a hook that allows does not undo what is forbidden";
  EXPECT_THAT(results(), HasSubstr("Permission to use Bash with command touch made has been denied."));
}

TEST_F(HostToolsTest, TheHostsOwnInputRunsAndItsRulesHold) {
  claude::Allow allow{.updated_input = {R"({"command":"touch third"})"}};
  allow.updated_permissions.json =
      R"([{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"touch:*"}],"behavior":"allow","destination":"session"}])";
  side.answer = {allow};
  serve();
  prompt("hello");
  EXPECT_THAT(tools.ran, ElementsAre(R"(run_command {"command":"touch third"})"));
  ASSERT_EQ(side.asked.size(), 1U);
  EXPECT_THAT(side.asked[0].suggestions.json, HasSubstr(R"("ruleContent":"touch made")"));
  prompt("again");
  EXPECT_EQ(side.asked.size(), 1U) << "the rule answers it";
  EXPECT_EQ(tools.ran.size(), 2U);
}

TEST_F(HostToolsTest, ModeInAnAnswerApplies) {
  claude::Allow allow;
  allow.updated_permissions.json = R"([{"type":"setMode","mode":"bypassPermissions","destination":"session"}])";
  side.answer = {allow};
  serve();
  prompt("hello");
  prompt("again");
  EXPECT_EQ(side.asked.size(), 1U);
  EXPECT_EQ(side.modes.back(), "bypassPermissions");
}

TEST_F(HostToolsTest, PostToolHooksReceiveTheResult) {
  settings.allowed_tools = {"Bash"};
  begin("PostToolUse");
  side.hook_output = R"({"decision":"block","reason":"look again"})";
  prompt("hello");
  ASSERT_EQ(side.hooks.size(), 1U);
  EXPECT_THAT(side.hooks[0], HasSubstr(R"("tool_response":{"stdout":"done")"));
  EXPECT_THAT(results(), HasSubstr(R"("content":"done\nlook again")"));
}

TEST_F(HostToolsTest, HooksAfterAFailedToolReceiveTheError) {
  settings.allowed_tools = {"Bash"};
  tools.fails = true;
  begin("PostToolUseFailure");
  prompt("hello");
  ASSERT_EQ(side.hooks.size(), 1U);
  EXPECT_THAT(side.hooks[0], HasSubstr(R"("error":"Exit code 1","is_interrupt":false)"));
}

TEST_F(HostToolsTest, ImpossibleCallSkipsHooks) {
  calls = {{.id = "c1", .tool = "Teleport", .arguments_json = "{}"},
           {.id = "c2", .tool = "Read", .arguments_json = R"({"path":1})"}};
  begin();
  prompt("hello");
  EXPECT_TRUE(side.hooks.empty());
  EXPECT_THAT(results(), HasSubstr("there is no tool called Teleport"));
  EXPECT_THAT(results(), HasSubstr("$.file_path"));
}

TEST_F(HostToolsTest, APermissionRequestHookMayDecideInTheHostsPlace) {
  side.hook_output =
      R"({"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"by hook"}}})";
  settings.asks = false;
  begin("PermissionRequest");
  prompt("hello");
  EXPECT_TRUE(tools.ran.empty());
  EXPECT_THAT(results(), HasSubstr("by hook"));
  ASSERT_EQ(side.hooks.size(), 1U);
  EXPECT_THAT(side.hooks[0], HasSubstr("permission_suggestions"));
}

TEST_F(HostToolsTest, SessionStartHooksRun) {
  settings.source = "resume";
  begin("SessionStart");
  prompt("hello");
  prompt("again");
  ASSERT_EQ(side.hooks.size(), 1U);
  EXPECT_THAT(side.hooks[0], HasSubstr(R"("source":"resume")"));
}

TEST_F(HostToolsTest, SessionEndHooksRunWithoutAnAnswer) {
  begin("SessionEnd");
  prompt("hello");
  host->close_input();
  settle();
  ASSERT_EQ(side.hooks.size(), 1U);
  EXPECT_THAT(side.hooks[0], HasSubstr(R"("reason":"other")"));
  EXPECT_TRUE(ended);
}

}  // namespace
}  // namespace parlance::face
