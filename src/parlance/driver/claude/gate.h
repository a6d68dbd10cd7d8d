// SPDX-License-Identifier: Apache-2.0
// Judges every call of Claude Code before the permission system of Claude Code does: reads, commands, edits, tools of MCP servers, unknown
// tools and the calls of sub-agents. Claude Code runs some calls without a question: reads, harmless commands, calls allowed by a settings
// file. A PreToolUse hook of parlance sees these calls, too.
//
// The gate refuses or asks, and leaves the questions of Claude Code in place. It answers `allow` in a single case: a person changed the input,
// because old versions take a changed input only together with `allow`. A fault in the gate is a refusal. Loop thread only.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "parlance/codec/json/value.h"
#include "parlance/driver/claude/asks.h"
#include "parlance/driver/claude/hooks.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/protocol/claude/messages.h"

namespace parlance::driver {

class ClaudeGate {
 public:
  struct Settings {
    bool has_host = false;         // a host brings its rules and answers; the gate enforces denying rules and mode plan only
    std::function<void()> stop{};  // a person refused a call and stops the turn
  };
  // All three references outlive the gate.
  ClaudeGate(ClaudeEvents& events, ClaudeAsks& asks, ClaudeHooks& hooks, Settings settings)
      : events_(events), asks_(asks), hooks_(hooks), settings_(std::move(settings)) {}

  // The output of the hook.
  Task<wire::Raw> judge(hub::Turn& turn, const claude::HookCallback& callback);
  // The question that Claude Code asks afterwards. An answer of a person to exactly this call counts once; another input is asked again.
  Task<Result<claude::PermissionResult>> can_use_tool(hub::Turn& turn, const claude::CanUseTool& request, bool must_ask);
  void turn_begins() { approved_.clear(); }

 private:
  struct Asked {
    claude::CanUseTool request{};
    std::string cwd{};
    bool must_ask = false;
  };
  Task<wire::Raw> ask(hub::Turn& turn, Asked asked, ClaudeHooks::Verdict said);
  wire::Raw refuse(const std::string& call, const std::string& reason);

  ClaudeEvents& events_;
  ClaudeAsks& asks_;
  ClaudeHooks& hooks_;
  Settings settings_;
  std::map<std::string, json::Value, std::less<>> approved_;  // by call: the input that a person allowed
};

// True if the question comes from a guard of Claude Code, or from a rule or hook of the person. Then no mode and no rule of the hub answers.
// An unknown reason counts as a guard.
bool is_guarded_by_claude(const claude::CanUseTool& request);

// The error of a turn with a tool call that bypassed the gate.
hub::event::Failure ran_unasked(const std::string& tool);

}  // namespace parlance::driver
