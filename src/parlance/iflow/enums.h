// SPDX-License-Identifier: Apache-2.0
// The enumerations of the iFlow SDK, by its words. `wire::name_of` gives the word of a value, `wire::enum_from` the value of a word.
// Values; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "parlance/adapter/acp/permission_choice.h"
#include "parlance/protocol/acp/messages.h"

namespace parlance::adapter {

constexpr auto wire_names(PermissionOutcome) {
  return wire::names("reject", "allow", "alwaysAllow", "alwaysAllowTool", "alwaysAllowMcpServer");
}

}  // namespace parlance::adapter

namespace parlance::iflow {

// Enumerations of the protocol are reused.
using PermissionMode = acp::PermissionMode;  // auto, manual, selective, and ours: interactive
using StopReason = acp::StopReason;          // … and the protocol's max_turn_requests
using ToolCallStatus = acp::ToolStatus;
using PlanPriority = acp::PlanPriority;
using PlanStatus = acp::PlanStatus;
using ToolCallConfirmationOutcome = adapter::PermissionOutcome;

enum class MessageType : std::uint8_t { plan, user, assistant, tool_call, error, task_finish };
constexpr auto wire_names(MessageType) { return wire::names("plan", "user", "assistant", "tool_call", "error", "task_finish"); }

// The agent's approval mode: `permission_mode` of a session. Newer agents have `smart` and judge themselves.
enum class ApprovalMode : std::uint8_t { default_, auto_edit, yolo, plan, smart };
constexpr auto wire_names(ApprovalMode) { return wire::names("default", "autoEdit", "yolo", "plan", "smart"); }

// The effect of a tool call with a permission request.
enum class ToolCallType : std::uint8_t { edit, execute, mcp, fetch, other };
constexpr auto wire_names(ToolCallType) { return wire::names("edit", "execute", "mcp", "fetch", "other"); }

enum class ToolCallContentType : std::uint8_t { diff, markdown };
constexpr auto wire_names(ToolCallContentType) { return wire::names("diff", "markdown"); }

enum class ToolCallIconType : std::uint8_t { url, emoji };
constexpr auto wire_names(ToolCallIconType) { return wire::names("url", "emoji"); }

enum class LogLevel : std::uint8_t { debug, info, warn, error };
constexpr auto wire_names(LogLevel) { return wire::names("DEBUG", "INFO", "WARN", "ERROR"); }

enum class HookEventType : std::uint8_t { pre_tool_use, post_tool_use, stop, subagent_stop, set_up_environment };
constexpr auto wire_names(HookEventType) {
  return wire::names("PreToolUse", "PostToolUse", "Stop", "SubagentStop", "SetUpEnvironment");
}

}  // namespace parlance::iflow
