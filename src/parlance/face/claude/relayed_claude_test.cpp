// SPDX-License-Identifier: Apache-2.0
// A Claude Code host and a relayed Claude Code; the test plays the agent's end of the relay.
#include "parlance/face/claude/relayed_claude.h"

#include "parlance/face/claude/test_support.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/transport/limits.h"

namespace parlance::face {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class RelayedClaudeTest : public HubOverClaude {
 protected:
  RelayedClaudeTest() { relay = &of_claude; }
  Result<std::string> initialize(std::string json) {
    const auto ask = [](claude::Host& host, std::string with, std::optional<Result<wire::Raw>>& into) -> Task<void> {
      into = co_await host.initialize_raw({std::move(with)});
    };
    std::optional<Result<wire::Raw>> answer;
    scope.start(ask(*host, std::move(json), answer));
    settle();
    if (!answer) return fail(Errc::deadline_exceeded, "no answer");
    if (!*answer) return fail(answer->error());
    return (*answer)->json;
  }
};

TEST_F(RelayedClaudeTest, OutputOfClaudeCodeIsRelayedUnchanged) {
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
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(conversation, hub::ChangeSettings{{.mode = hub::Mode::plan}})));
  prompt("hello");
  EXPECT_THAT(side.kinds, ElementsAre("system/init", "assistant", "result/error_max_budget_usd")) << "once, and in its order";
  for (const std::string& line : side.lines)
    EXPECT_THAT(line, HasSubstr(R"("session_id":"00000000-0000-4000-8000-000000000001")"));
  EXPECT_THAT(side.lines.at(0), HasSubstr(R"("permissionMode":"plan")"));
  EXPECT_THAT(side.lines.at(1), HasSubstr(R"("uuid":"u1")"));
  EXPECT_THAT(side.lines.at(2), HasSubstr(R"("structured_output":{"a":[1]})"));
}

TEST_F(RelayedClaudeTest, OtherRequestsOfClaudeCodeGoToTheHost) {
  serve();
  settle();
  Result<wire::Raw> answer;
  const auto ask = [](adapter::ClaudeRelay& of, Result<wire::Raw>& into) -> Task<void> {
    into = co_await of.ask("elicitation", {R"({"message":"Which?"})"});
  };
  scope.start(ask(of_claude, answer));
  settle();
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->json, R"({"subtype":"elicitation","with":{"message":"Which?"}})");
}

TEST_F(RelayedClaudeTest, QuestionAndAnswerPassUnchanged) {
  std::optional<claude::PermissionResult> said;
  bench.script = [&](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    turn.emit(hub::event::ToolStart{.call = "c1", .tool = "Bash", .title = "ls", .input_json = R"({"command":"ls"})"});
    claude::CanUseTool question{.tool_name = "Bash", .input = {R"({"command":"ls","x":1})"}, .tool_use_id = "c1"};
    question.suggestions.json = R"([{"type":"unheardOf"}])";
    const adapter::ClaudeRelay::Asking asking(of_claude, "c1", question);
    PARLANCE_CO_TRY(answer, co_await turn.ask({.call = "c1",
                                               .tool = "Bash",
                                               .options = {{.id = "yes", .label = "Yes", .kind = hub::OptionKind::allow_once},
                                                           {.id = "no", .label = "No", .kind = hub::OptionKind::reject_once}}}));
    auto result = asking.as_the_host_said(claude::PermissionResult{claude::Allow{}});
    if (result) said = *result;
    co_return answer.allowed() ? hub::StopReason::end_turn : hub::StopReason::error;
  };
  claude::Allow allow{.updated_input = {R"({"command":"pwd"})"}};
  allow.updated_permissions.json = R"([{"type":"unheardOf"}])";
  side.answer = {allow};
  serve();
  prompt("hello");
  ASSERT_EQ(side.asked.size(), 1U);
  EXPECT_EQ(side.asked[0].input.json, R"({"command":"ls","x":1})");
  EXPECT_EQ(side.asked[0].suggestions.json, R"([{"type":"unheardOf"}])");
  ASSERT_TRUE(said);
  EXPECT_EQ(std::get<claude::Allow>(said->value).updated_input.json, R"({"command":"pwd"})");
  EXPECT_EQ(std::get<claude::Allow>(said->value).updated_permissions.json, R"([{"type":"unheardOf"}])");
}

TEST_F(RelayedClaudeTest, SlowHostStopsReadsFromClaudeCode) {
  constexpr std::size_t lines = 64;
  serve();
  const std::string line =
      R"({"type":"assistant","message":{"content":")" + std::string(limits::write_queue_bytes / 8, 'x') + R"("}})";
  const auto say = [&] { of_claude.line({.json = line, .type = "assistant"}); };
  Signal reads(bench.loop);
  side.reads = &reads;
  say();
  EXPECT_FALSE(of_claude.host_is_slow) << "there is room for it";
  for (std::size_t line_count = 1; line_count < lines; ++line_count) say();
  settle();
  EXPECT_TRUE(of_claude.host_is_slow);
  side.reads = nullptr;
  reads.notify_all();
  settle();
  EXPECT_FALSE(of_claude.host_is_slow);
  EXPECT_EQ(side.kinds.size(), lines);
}

TEST_F(RelayedClaudeTest, SilentClaudeCodeStillHasInitAndResult) {
  bench.script = [](hub::Turn&, hub::Prompt) -> Task<Result<hub::StopReason>> { co_return fail(Errc::not_found, "no claude"); };
  serve();
  prompt("hello");
  prompt("again");
  EXPECT_THAT(side.kinds, ElementsAre("system/init", "result/success", "system/init", "result/success"));
  EXPECT_TRUE(side.results.at(1).is_error);
  EXPECT_EQ(side.results.at(1).result, "no claude");
}

TEST_F(RelayedClaudeTest, ClaudeCodesOwnRequestsAreForwarded) {
  serve();
  std::string reply;
  const auto ask = [](claude::Host& host, std::string& into) -> Task<void> {
    const auto answer = co_await host.request("rewind_files", {R"({"user_message_id":"u"})"});
    into = answer ? answer->json : answer.error().message;
  };
  scope.start(ask(*host, reply));
  settle();
  EXPECT_THAT(reply, HasSubstr("started with initialize or the first prompt"));
  of_claude.request = [](std::string subtype, wire::Raw request) -> Task<Result<wire::Raw>> {
    co_return wire::Raw{R"({"for":")" + subtype + R"(","of":)" + request.json + "}"};
  };
  scope.start(ask(*host, reply));
  settle();
  EXPECT_EQ(reply, R"({"for":"rewind_files","of":{"user_message_id":"u"}})");
}

TEST_F(RelayedClaudeTest, HostRequestsReachClaudeCodeUnchanged) {
  serve();
  ASSERT_TRUE(initialize(R"({"hooks":{"Stop":[{"hookCallbackIds":["s"],"unheardOf":[1]}]},"unheardOf":{"a":[{}]},)"
                         R"("systemPrompt":["a text"],"appendSystemPrompt":"more","mcpServers":{"n":{"command":"x","y":1}},)"
                         R"("sdkMcpServers":["calc"],"sdkMcpServerManifests":{"calc":{}},"disallowedTools":["Bash","Read"]})"));
  EXPECT_EQ(of_claude.initialize.json, R"({"hooks":{"Stop":[{"hookCallbackIds":["s"],"unheardOf":[1]}]},"unheardOf":{"a":[{}]},)"
                                       R"("sdkMcpServers":["calc"],"sdkMcpServerManifests":{"calc":{}}})")
      << "but for what is said in another way";
  EXPECT_EQ(of_claude.mcp_config, R"({"mcpServers":{"n":{"command":"x","y":1}}})");
  EXPECT_EQ(of_claude.flags, std::vector<std::string>{"--disallowedTools=Bash,Read"});
}

TEST_F(RelayedClaudeTest, TheAnswerToInitializeIsItsOwn) {
  hub::PromptOptions prepared;
  bench.log.preparing = [&](hub::PromptOptions options) -> Task<Result<void>> {
    prepared = std::move(options);
    of_claude.initialized.json = R"({"commands":[{"name":"compact"}],"current_permission_mode":"default","unheardOf":{"a":1}})";
    co_return Result<void>{};
  };
  serve();
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(conversation, hub::ChangeSettings{{.mode = hub::Mode::plan}})));
  EXPECT_EQ(initialize(R"({"systemPrompt":"a text"})"),
            R"({"commands":[{"name":"compact"}],"current_permission_mode":"plan","unheardOf":{"a":1}})");
  EXPECT_EQ(prepared.system, "a text") << "with what goes with every prompt";
  EXPECT_EQ(initialize(R"({"mcpServers":{},"disallowedTools":[]})"),
            R"({"commands":[{"name":"compact"}],"current_permission_mode":"plan","unheardOf":{"a":1},)"
            R"("mcp_servers_applied":true,"disallowed_tools_applied":true})")
      << "the SDK ends the session otherwise";
  prompt("hello");
  EXPECT_EQ(bench.log.opened, 1);
  EXPECT_TRUE(bench.log.closed == 0 && bench.log.prompts.size() == 1);
}

TEST_F(RelayedClaudeTest, AFailureToStartIsTheAnswerToInitialize) {
  bench.log.preparing = [](hub::PromptOptions) -> Task<Result<void>> { co_return fail(Errc::not_found, "no program"); };
  serve();
  EXPECT_EQ(initialize("{}").error().message, "no program");
  EXPECT_TRUE(side.kinds.empty());
}

TEST_F(RelayedClaudeTest, HooksOfTheHostServeClaudeCode) {
  serve();
  ASSERT_TRUE(initialize(R"({"hooks":{"Stop":[{"hookCallbackIds":["s"]}]}})"));
  side.hook_output = R"({"decision":"block"})";
  prompt("hello");
  EXPECT_TRUE(side.called.empty()) << "only Claude Code asks";
  const auto answer = bench.loop.block_on(
      of_claude.hook({.callback_id = "s", .input = {R"({"session_id":"of its own","permission_mode":"default","x":1})"}}));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->json, R"({"decision":"block"})");
  EXPECT_THAT(side.hooks,
              ElementsAre(R"({"session_id":"00000000-0000-4000-8000-000000000001","permission_mode":"default","x":1})"));
}

}  // namespace
}  // namespace parlance::face
