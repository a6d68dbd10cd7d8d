// SPDX-License-Identifier: Apache-2.0
// A host of Claude Code has its say in every tool call of an agent of ours: its PreToolUse hooks first, then the rules that it brought,
// and its PostToolUse hooks when the tool has run. Loop thread only; hooks and rules outlive it.
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
  using HookInput = std::function<json::Object(std::string event)>;  // what every hook is told
  // `port` may be null: nobody asks. Otherwise this is found there for as long as it lives. `answer_ends`: the model has said all of
  // the answer that the call is from.
  HostTools(Loop& loop, HostHooks& hooks, ClaudeRules& rules, HookInput hook_input, toolbox::ToolHooksPort* port,
            std::function<void()> answer_ends);
  ~HostTools();
  HostTools(const HostTools&) = delete;
  HostTools& operator=(const HostTools&) = delete;

  hub::ToolCall named(const hub::Conversation& conversation, hub::ToolCall call) override;
  Task<toolbox::ToolVerdict> before(hub::Turn& turn, hub::ToolCall call) override;
  Task<toolbox::ToolVerdict> before_request(hub::Turn& turn, hub::ToolCall request) override;
  std::optional<std::string> agreed_input(const std::string& call) override;
  Task<After> after(hub::ToolCall call, const hub::ToolOutcome& outcome) override;

  // ---- for who asks the host, and who tells it

  void told(const std::string& call);  // the host knows of it: hooks are about nothing that it has not seen

  struct Passed {
    RuledCall call{};                  // with the input that would run
    bool must_ask = false;             // a hook, or a rule that asks: no rule that allows counts
    std::optional<std::string> why{};  // of the hook
  };
  // Of a call that was told with `told`: hooks or the host may have put another in its place.
  const json::Value& input_that_ran(const std::string& call, const json::Value& told) const {
    const Passed* const passed = find(call);
    return passed != nullptr ? passed->call.input : told;
  }
  const Passed* find(const std::string& call) const;  // null: it has not come by here
  const Passed* find(const hub::Ask& ask) const;      // of its call, or of the request that the call's MCP server sent
  // For a call that an agent runs itself: the same as `before`, but nothing can be changed about it.
  Task<toolbox::ToolVerdict> judge(RuledCall call, std::string id);
  bool runs(const std::string& call) const { return runs_.contains(call); }  // here: its input can be changed
  void agree(const std::string& call, std::string input_json) { agreed_[call] = std::move(input_json); }
  bool take_stopped() { return std::exchange(stopped_, false); }  // a hook ended the turn
  void turn_ends();                                               // calls are forgotten

 private:
  Task<toolbox::ToolVerdict> judged(Passed passed, std::string id, std::string key);
  json::Object about(const std::string& event, const std::string& call, const Passed& passed) const;

  HostHooks& hooks_;
  ClaudeRules& rules_;
  HookInput hook_input_;
  toolbox::ToolHooksPort* port_;
  std::function<void()> answer_ends_;
  std::set<std::string> told_;
  Signal changed_;
  std::map<std::string, Passed> calls_;  // of this turn, and requests of MCP servers (key_of_request)
  std::set<std::string> runs_;           // of them, those that are run here
  std::map<std::string, std::string> agreed_;
  std::map<std::string, std::string> context_;  // of a hook, for the model, until the tool has run
  bool stopped_ = false;
};

// How a hook and a host are told what came out of a tool: tool_response, tool_use_result.
json::Value claude_tool_response(const RuledCall& call, std::string_view text, const std::optional<hub::Diff>& diff);

}  // namespace parlance::face
