// SPDX-License-Identifier: Apache-2.0
// Lets a Claude Code host take part in every tool call of the built-in agent: PreToolUse hooks first, then the host's rules, and
// PostToolUse hooks after the run. Loop thread only; hooks and rules must outlive the object.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "parlance/async/channel.h"
#include "parlance/codec/json/value.h"
#include "parlance/face/claude/host_hooks.h"
#include "parlance/face/claude/rules.h"
#include "parlance/toolbox/tool_hooks.h"

namespace parlance::face {

class HostTools final : public toolbox::ToolHooks {
 public:
  using HookInput = std::function<json::Object(std::string event)>;  // common input of hooks
  // `port` may be null: no agent asks. Otherwise the port refers to this object during its lifetime. `answer_ends`: the model has
  // finished the answer with the call.
  HostTools(Loop& loop, HostHooks& hooks, ClaudeRules& rules, HookInput hook_input, toolbox::ToolHooksPort* port,
            std::function<void()> answer_ends);
  ~HostTools();
  HostTools(const HostTools&) = delete;
  HostTools& operator=(const HostTools&) = delete;

  hub::ToolCall named(const hub::SessionSetup& setup, hub::ToolCall call) override;
  Task<toolbox::ToolVerdict> before(hub::Turn& turn, hub::ToolCall call) override;
  Task<toolbox::ToolVerdict> before_request(hub::Turn& turn, hub::ToolCall request) override;
  std::optional<std::string> agreed_input(const std::string& call) override;
  Task<After> after(hub::ToolCall call, const hub::ToolOutcome& outcome) override;

  // ---- for questions and messages to the host

  void reported(const std::string& call);  // the host knows the call: hooks never precede its report

  struct Passed {
    RuledCall call{};                     // with the input to run
    bool must_ask = false;                // required by a hook or rule: allowing rules do not count
    std::optional<std::string> reason{};  // of the hook
  };
  // The final input of a reported call: hooks or the host may have replaced `reported`.
  const json::Value& input_that_ran(const std::string& call, const json::Value& reported) const {
    const Passed* const passed = find(call);
    return passed != nullptr ? passed->call.input : reported;
  }
  const Passed* find(const std::string& call) const;  // null: not checked here
  const Passed* find(const hub::Ask& ask) const;      // of its call, or of the request from the call's MCP server
  // Like `before`, for a call that an agent runs itself: without changes to the input.
  Task<toolbox::ToolVerdict> judge(RuledCall call, std::string id);
  bool runs(const std::string& call) const { return runs_.contains(call); }  // run by parlance: its input can change
  void agree(const std::string& call, std::string input_json) { agreed_[call] = std::move(input_json); }
  bool take_stopped() { return std::exchange(stopped_, false); }  // a hook ended the turn
  void turn_ends();                                               // clears the calls

 private:
  Task<toolbox::ToolVerdict> judged(Passed passed, std::string id, std::string key);
  json::Object about(const std::string& event, const std::string& call, const Passed& passed) const;

  HostHooks& hooks_;
  ClaudeRules& rules_;
  HookInput hook_input_;
  toolbox::ToolHooksPort* port_;
  std::function<void()> answer_ends_;
  std::set<std::string> reported_;
  Signal changed_;
  std::map<std::string, Passed> calls_;  // calls of this turn, and requests of MCP servers (key_of_request)
  std::set<std::string> runs_;           // calls run by parlance
  std::map<std::string, std::string> agreed_;
  std::map<std::string, std::string> context_;  // hook text for the model, until the tool has run
  bool stopped_ = false;
};

// The result of a tool for hooks and host: tool_response, tool_use_result.
json::Value claude_tool_response(const RuledCall& call, std::string_view text, const std::optional<hub::Diff>& diff);

}  // namespace parlance::face
