// SPDX-License-Identifier: Apache-2.0
// Configured hooks of Claude Code: a command or an HTTP address for an event (PreToolUse, PostToolUse, UserPromptSubmit, Stop,
// …). A hook gets its input as JSON (stdin, or the body of a POST) and answers with the hook's output as JSON; an empty answer
// means no opinion. Loop thread only; must outlive its sessions.
//
// A failed or late hook has no effect, unless its configuration has `"on_failure": "block"`. Then the tool is refused by every
// version of Claude Code, because parlance answers the request.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "parlance/codec/json/value.h"
#include "parlance/driver/claude/limits.h"
#include "parlance/protocol/claude/messages.h"
#include "parlance/transport/http/http_client.h"

namespace parlance::driver {

struct ClaudeHook {
  std::string event{};
  std::optional<std::string> matcher{};
  std::string command{};  // for the shell; or
  std::string url{};
  std::optional<double> timeout{};  // seconds; limits::claude_hook_timeout
  std::optional<std::string> on_failure{};
  static constexpr auto wire = wire::fields(
      wire::field<&ClaudeHook::event>("event", "Name of the event: PreToolUse, PostToolUse, UserPromptSubmit, Stop and others."),
      wire::field<&ClaudeHook::matcher>("matcher", "Regular expression for the name of the tool. Absent: every tool matches."),
      wire::field<&ClaudeHook::command>("command", "Command line for the shell. The hook has either a command or a url.")
          .or_default(),
      wire::field<&ClaudeHook::url>("url", "Address for a POST request. The hook has either a command or a url.").or_default(),
      wire::field<&ClaudeHook::timeout>("timeout", "Time limit in seconds."),
      wire::field<&ClaudeHook::on_failure>(
          "on_failure",
          "Effect of a failed or late hook: continue (no effect) or block (the call is refused). Default: continue."));
};

// Reads a JSON file with a list of hooks. Errors name the position.
Result<std::vector<ClaudeHook>> read_claude_hooks(const std::string& path);

class ClaudeHooks {
 public:
  ClaudeHooks(Loop& loop, std::vector<ClaudeHook> hooks);
  ~ClaudeHooks();

  // Adds the hooks to `initialize`, first the gate: a PreToolUse hook for every tool (driver/claude/gate.h), which runs the
  // configured PreToolUse hooks.
  void offer(claude::Initialize& initialize) const;
  Task<Result<wire::Raw>> call(const claude::HookCallback& callback, const std::string& folder);

  // The joint answer of all matching PreToolUse hooks, run in order; the first refusal ends the run.
  struct Verdict {
    std::string decision{};              // deny, ask, allow; empty: no opinion
    std::optional<json::Value> input{};  // the changed input of the call
    wire::Raw output{"{}"};              // for Claude Code
  };
  Task<Verdict> before_tool(std::string tool, claude::HookCallback callback, std::string folder);
  bool empty() const { return hooks_.empty(); }
  static bool has(std::string_view callback_id);      // a configured hook, not a host's
  static bool is_gate(std::string_view callback_id);  // … including the gate

 private:
  Task<Result<wire::Raw>> run(std::size_t number, const claude::HookCallback& callback, const std::string& folder);
  Task<Result<std::string>> ask(const ClaudeHook& hook, std::string input, std::string folder);
  Loop& loop_;
  std::vector<ClaudeHook> hooks_;
  std::unique_ptr<HttpClient> http_;  // created on first use
};

}  // namespace parlance::driver
