// SPDX-License-Identifier: Apache-2.0
// The tables of the SDK: enumerations, errors, options.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/codec/json/value.h"
#include "parlance/iflow/errors.h"
#include "parlance/iflow/options.h"
#include "parlance/protocol/acp/errors.h"

namespace parlance::iflow {
namespace {

using ::testing::ElementsAre;

template <class E>
std::vector<std::string> words() {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < wire_names(E{}).size(); ++i) {
    const auto value = static_cast<E>(i);
    out.emplace_back(wire::name_of(value));
    EXPECT_EQ(wire::enum_from<E>(out.back()), value);
  }
  return out;
}

TEST(IflowEnums, TheirWordsEqualTheSdks) {
  EXPECT_THAT(words<MessageType>(), ElementsAre("plan", "user", "assistant", "tool_call", "error", "task_finish"));
  EXPECT_THAT(words<ApprovalMode>(), ElementsAre("default", "autoEdit", "yolo", "plan", "smart"));
  EXPECT_THAT(words<PermissionMode>(), ElementsAre("auto", "manual", "selective", "interactive"));
  EXPECT_THAT(words<StopReason>(), ElementsAre("end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"));
  EXPECT_THAT(words<ToolCallStatus>(), ElementsAre("pending", "in_progress", "completed", "failed"));
  EXPECT_THAT(words<ToolCallType>(), ElementsAre("edit", "execute", "mcp", "fetch", "other"));
  EXPECT_THAT(words<ToolCallContentType>(), ElementsAre("diff", "markdown"));
  EXPECT_THAT(words<ToolCallIconType>(), ElementsAre("url", "emoji"));
  EXPECT_THAT(words<PlanStatus>(), ElementsAre("pending", "in_progress", "completed"));
  EXPECT_THAT(words<PlanPriority>(), ElementsAre("high", "medium", "low"));
  EXPECT_THAT(words<LogLevel>(), ElementsAre("DEBUG", "INFO", "WARN", "ERROR"));
  EXPECT_THAT(words<HookEventType>(), ElementsAre("PreToolUse", "PostToolUse", "Stop", "SubagentStop", "SetUpEnvironment"));
  EXPECT_EQ(adapter::to_string(ToolCallConfirmationOutcome::always_allow_mcp_server), "alwaysAllowMcpServer");
  EXPECT_EQ(wire::name_of(ToolCallConfirmationOutcome::always_allow_tool), "alwaysAllowTool");
  for (const std::string_view word : words<ToolCallConfirmationOutcome>())
    EXPECT_EQ(adapter::to_string(*adapter::read_permission_outcome(word)), word);
}

TEST(IflowErrors, EachKindIsKnownAgain) {
  EXPECT_THAT(words<ErrorKind>(), ElementsAre("IFlowError", "TimeoutError", "JSONDecodeError", "IFlowNotInstalledError",
                                              "IFlowProcessError", "PortNotAvailableError", "ConnectionError", "TransportError",
                                              "PermissionError", "ValidationError", "ProtocolError", "AuthenticationError"));
  for (std::size_t i = 0; i < words<ErrorKind>().size(); ++i) {
    const auto kind = static_cast<ErrorKind>(i);
    const Error error = make_error(kind, "why", R"({"port":8090})");
    EXPECT_EQ(kind_of(error), kind);
    EXPECT_EQ(kind_of(Error(error).in("doing")), kind);
    EXPECT_EQ(kind_of(as_kind(ErrorKind::general, error)), kind) << "the first to know the kind is right";
    EXPECT_EQ(json::parse_or_null(error.data).find("details")->integer_or("port", 0), 8090);
  }
}

TEST(IflowErrors, LowerErrorsHaveAKindToo) {
  EXPECT_EQ(kind_of({.code = Errc::deadline_exceeded}), ErrorKind::timeout);
  EXPECT_EQ(kind_of({.code = Errc::disconnected}), ErrorKind::connection);
  EXPECT_EQ(kind_of({.code = Errc::denied}), ErrorKind::permission);
  EXPECT_EQ(kind_of({.code = Errc::not_found}), ErrorKind::protocol);
  EXPECT_EQ(kind_of({.code = Errc::internal}), ErrorKind::general);
  EXPECT_EQ(kind_of(acp::auth_required()), ErrorKind::authentication);
}

TEST(IflowErrors, TheNumberOfTheAgentStays) {
  EXPECT_EQ(code_of({.code = Errc::internal}), -32603);
  EXPECT_EQ(code_of({.code = Errc::disconnected}), -1);
  const Error busy{.code = Errc::failed, .message = "busy", .data = R"({"code":429})"};
  EXPECT_EQ(code_of(busy), 429);
  EXPECT_EQ(code_of(as_kind(ErrorKind::protocol, busy)), 429);
}

// Of the process manager and of availability, as the seed's extension and its SDK have them.
TEST(IflowLimits, ValuesEqualTheSdks) {
  using namespace std::chrono_literals;
  EXPECT_EQ(parlance::limits::iflow_port, 8090);
  EXPECT_EQ(parlance::limits::iflow_ports, 100);
  EXPECT_EQ(parlance::limits::iflow_probe_delay, 500ms);
  EXPECT_EQ(parlance::limits::iflow_probe_interval, 300ms);
  EXPECT_EQ(parlance::limits::iflow_probes, 20);
  EXPECT_EQ(parlance::limits::iflow_start_patience, 30s);
  EXPECT_EQ(parlance::limits::iflow_term_grace, 5s);
  EXPECT_EQ(parlance::limits::iflow_available_for, 2min);
  EXPECT_EQ(parlance::limits::iflow_unavailable_for, 15s);
}

TEST(IflowOptions, DefaultsEqualTheSdks) {
  const Options options;
  EXPECT_EQ(options.url, "ws://localhost:8090/acp");
  EXPECT_EQ(options.timeout, std::chrono::milliseconds(30'000));
  EXPECT_EQ(options.log_level, LogLevel::info);
  EXPECT_FALSE(options.file_access);
  EXPECT_FALSE(options.file_read_only);
  EXPECT_EQ(options.file_max_size, 10'485'760U);
  EXPECT_TRUE(options.file_allowed_dirs.empty());
  EXPECT_EQ(options.permission_mode, PermissionMode::automatic);
  EXPECT_THAT(options.auto_approve_types, ElementsAre("read", "fetch", "list"));
  EXPECT_EQ(options.auth_method_id, "iflow");
  EXPECT_FALSE(options.auth_method_info);
  EXPECT_TRUE(options.auto_start_process);
  EXPECT_EQ(options.process_start_port, 8090);
  EXPECT_FALSE(options.session_settings);
  EXPECT_TRUE(options.mcp_servers.empty());
  EXPECT_EQ(folder_of({.cwd = "/w/./a/../"}), "/w");
  EXPECT_TRUE(folder_of({}).starts_with('/'));
}

TEST(IflowOptions, ImpossibleOptionsAreReported) {
  EXPECT_TRUE(check({}));
  EXPECT_TRUE(check({.url = "wss://host/acp"}));
  EXPECT_EQ(check({.url = "localhost:8090"}).error().message,
            "url: \"localhost:8090\" is no address of a WebSocket: ws://localhost:8090/acp is one");
  EXPECT_EQ(kind_of(check({.timeout = std::chrono::milliseconds(0)}).error()), ErrorKind::validation);
  EXPECT_FALSE(check({.file_max_size = 0}));
  EXPECT_FALSE(check({.process_start_port = 0}));
}

TEST(IflowOptions, HooksCommandsAndAgentsHaveTheirNamesOnTheWire) {
  EXPECT_EQ(hooks_json({}).json, "");
  EXPECT_EQ(
      hooks_json({{HookEventType::pre_tool_use, {{.matcher = "Edit", .hooks = {{.command = "lint", .timeout_s = 5}}}}},
                  {HookEventType::stop, {{.hooks = {{.command = "bell"}}}}}})
          .json,
      R"({"PreToolUse":[{"matcher":"Edit","hooks":[{"type":"command","command":"lint","timeout":5}]}],"Stop":[{"hooks":[{"type":"command","command":"bell"}]}]})");
  EXPECT_EQ(commands_json({}).json, "");
  EXPECT_EQ(commands_json({{.name = "review", .content = "Look at it."}}).json, R"([{"name":"review","content":"Look at it."}])");
  EXPECT_EQ(
      agents_json({{.agent_type = "tester",
                    .when_to_use = "always",
                    .allowed_tools = {"read"},
                    .system_prompt = "Test.",
                    .name = "T",
                    .description = "d",
                    .allowed_mcps = std::vector<std::string>{"m"},
                    .proactive = true,
                    .location = "project",
                    .model = "glm",
                    .inherits_tools = false,
                    .inherits_mcps = true}})
          .json,
      R"([{"agentType":"tester","whenToUse":"always","allowedTools":["read"],"systemPrompt":"Test.","name":"T","description":"d","allowedMcps":["m"],"proactive":true,"location":"project","model":"glm","isInheritTools":false,"isInheritMcps":true}])");
}

}  // namespace
}  // namespace parlance::iflow
