// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/claude/gate.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "parlance/adapter/claude/located_call.h"
#include "parlance/codec/json/value.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/protocol/claude/host.h"
#include "parlance/workspace/guarded_places.h"

namespace parlance::driver {
namespace {

// Tools with an effect only inside Claude Code: later calls of a sub-agent or skill are judged separately.
constexpr std::array<std::string_view, 19> of_its_own_work{
    "AskUserQuestion", "ExitPlanMode", "EnterPlanMode",    "TodoWrite",  "TaskCreate", "TaskGet",  "TaskList",
    "TaskUpdate",      "TaskOutput",   "TaskStop",         "BashOutput", "KillShell",  "KillBash", "ListAgents",
    "ToolSearch",      "CronList",     "StructuredOutput", "Task",       "Agent"};

// A sub-agent in a separate worktree begins with git commands.
bool concerns_its_own_work(const adapter::ClaudeCall& call) {
  return std::ranges::find(of_its_own_work, call.tool) != of_its_own_work.end() && call.input.find("isolation") == nullptr;
}

bool edits(std::string_view tool) { return tool == "Write" || tool == "Edit" || tool == "MultiEdit" || tool == "NotebookEdit"; }

// The reasons with which Claude Code (2.0.76 to 2.1.332) asks about any command or place, without a particular danger.
constexpr std::array<std::string_view, 8> ordinary_reasons{"This command requires approval",
                                                           "Path is outside allowed working directories",
                                                           "Contains ",
                                                           "Command contains ",
                                                           "A nested command in this command",
                                                           "This Bash command contains multiple operations",
                                                           "Heredoc with unquoted delimiter",
                                                           "sed command contains operations"};
constexpr std::array<std::string_view, 5> ordinary_types{"", "mode", "other", "workingDir", "subcommandResults"};

wire::Raw pre_tool_use(std::string_view decision, std::string_view reason, const json::Value* input = nullptr) {
  json::Object specific;
  specific.set("hookEventName", "PreToolUse");
  specific.set("permissionDecision", std::string(decision));
  if (!reason.empty()) specific.set("permissionDecisionReason", std::string(reason));
  if (input != nullptr) specific.set("updatedInput", *input);
  json::Object output;
  output.set("hookSpecificOutput", std::move(specific));
  return {json::to_text(json::Value(std::move(output)))};
}

}  // namespace

bool is_guarded_by_claude(const claude::CanUseTool& request) {
  const std::string reason = claude::text_of(request.decision_reason);
  const std::string type = claude::text_of(request.decision_reason_type);
  if (std::ranges::find(ordinary_types, type) == ordinary_types.end()) return true;
  for (const std::string& blocked : claude::blocked_paths_of(request))
    if (workspace::guarded_name(blocked)) return true;
  if (reason.empty()) return false;
  const auto known = [&](std::string_view begin) { return reason.starts_with(begin); };
  if (edits(request.tool_name)) return reason != ordinary_reasons[1];
  return std::ranges::none_of(ordinary_reasons, known);
}

hub::event::Failure ran_unasked(const std::string& tool) {
  return {.code = "unasked",
          .message = "Claude Code ran the tool " + tool + " without approval by parlance, so parlance stops the turn.",
          .detail = "Settings of Claude Code turn hooks off: remove disableAllHooks and allowManagedHooksOnly there."};
}

wire::Raw ClaudeGate::refuse(const std::string& call, const std::string& reason) {
  if (!call.empty()) events_.refused(call);
  return pre_tool_use("deny", reason);
}

Task<wire::Raw> ClaudeGate::judge(hub::Turn& turn, const claude::HookCallback& callback) {
  const json::Value parsed = json::parse_or_null(callback.input.json);
  const std::string tool(parsed.text_or("tool_name", ""));
  const json::Value* const input = parsed.find("tool_input");
  Asked asked{.request = {.tool_name = tool, .tool_use_id = callback.tool_use_id}, .cwd = std::string(parsed.text_or("cwd", ""))};
  if (const std::string_view id = parsed.text_or("tool_use_id", ""); !id.empty()) asked.request.tool_use_id = std::string(id);
  if (const json::Value* const agent = parsed.find("agent_id")) asked.request.agent_id.json = json::to_text(*agent);
  const std::string id = asked.request.tool_use_id.value_or("");
  if (tool.empty() || input == nullptr || input->object() == nullptr)
    co_return refuse(id, "Refused: parlance cannot read this call.");
  if (!id.empty()) events_.judged(id);
  ClaudeHooks::Verdict said = co_await hooks_.before_tool(tool, callback, turn.setup().folder);
  if (said.decision == "deny") co_return said.output;
  adapter::ClaudeCall call{.tool = tool, .input = said.input.value_or(*input)};
  asked.request.input.json = json::to_text(call.input);
  asked.must_ask = said.decision == "ask";
  if (concerns_its_own_work(call)) {  // for rules only: no mode refuses this work
    const hub::Decision ruled = turn.decide(tool, {.kind = hub::ToolKind::ask, .title = tool});
    if (ruled.effect == hub::Effect::deny) co_return refuse(id, "Refused: " + ruled.why);
    if (ruled.effect == hub::Effect::allow) co_return said.output;
  }
  const hub::Decision decided = asks_.decide(turn, call, asked.cwd);
  if (decided.effect == hub::Effect::deny) co_return refuse(id, "Refused: " + decided.why);
  if (decided.effect == hub::Effect::allow && !asked.must_ask) co_return said.output;
  if (said.decision == "allow") co_return said.output;  // a configured hook answers for the person
  if (settings_.has_host) {
    // Claude Code asks the host itself. In its plan mode some versions read every file without a request.
    const bool reads_unasked =
        turn.setup().mode == hub::Mode::plan && said.output.json == "{}" && decided.effect == hub::Effect::ask;
    co_return reads_unasked ? pre_tool_use("ask", decided.why) : said.output;
  }
  co_return co_await ask(turn, std::move(asked), std::move(said));
}

Task<wire::Raw> ClaudeGate::ask(hub::Turn& turn, Asked asked, ClaudeHooks::Verdict said) {
  const std::string id = asked.request.tool_use_id.value_or("");
  const json::Value before = json::parse_or_null(asked.request.input.json);
  const auto answer = co_await asks_.ask(turn, asked.request, {.must_ask = asked.must_ask, .cwd = asked.cwd});
  if (!answer) co_return refuse(id, "Refused: no person could be asked: " + answer.error().message);
  if (const auto* const deny = std::get_if<claude::Deny>(&answer->value)) {
    if (deny->interrupt.value_or(false) && settings_.stop) settings_.stop();
    co_return refuse(id, deny->message);
  }
  const json::Value wanted = json::parse_or_null(std::get<claude::Allow>(answer->value).updated_input.json);
  if (!id.empty()) approved_.insert_or_assign(id, wanted);
  if (wanted == before) co_return said.output;
  co_return pre_tool_use("allow", "A person changed and allowed the input.", &wanted);
}

Task<Result<claude::PermissionResult>> ClaudeGate::can_use_tool(hub::Turn& turn, const claude::CanUseTool& request,
                                                                bool must_ask) {
  if (const auto found = approved_.find(request.tool_use_id.value_or("")); found != approved_.end()) {
    const json::Value approved = std::move(found->second);
    approved_.erase(found);
    if (approved == json::parse_or_null(request.input.json) && !must_ask)
      co_return claude::PermissionResult{claude::Allow{.updated_input = request.input}};
  }
  if (request.tool_use_id) events_.judged(*request.tool_use_id);
  co_return co_await asks_.ask(turn, request, {.must_ask = must_ask || is_guarded_by_claude(request)});
}

}  // namespace parlance::driver
