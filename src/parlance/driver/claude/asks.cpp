// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/claude/asks.h"

#include <fstream>
#include <iterator>
#include <optional>

#include "parlance/adapter/claude/located_call.h"
#include "parlance/adapter/claude/proposal.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/protocol/claude/host.h"

namespace parlance::driver {
namespace {

std::optional<std::string> read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file || file.tellg() < 0 || static_cast<std::size_t>(file.tellg()) > limits::file_edit_bytes) return std::nullopt;
  file.seekg(0);
  return std::string{std::istreambuf_iterator<char>(file), {}};
}

std::string refusal_text(const hub::AskAnswer& answer) {
  if (!answer.text.empty()) return answer.text;
  if (!answer.why.empty()) return "Refused: " + answer.why;
  return answer.state == hub::AskState::answered ? "The person refused this." : "No person answered.";
}

}  // namespace

ClaudeAsks::Judged ClaudeAsks::judged(const hub::Turn& turn, const adapter::ClaudeCall& call, const std::string& cwd) const {
  const hub::SessionSetup& setup = turn.setup();
  const adapter::LocatedCall located = adapter::located_call(call, setup.folder, cwd, home_);
  return {.intent = adapter::claude_intent(located.call, toolbox::folders_of(setup), read_text), .is_known = located.is_known};
}

hub::Decision ClaudeAsks::decide(const hub::Turn& turn, const adapter::ClaudeCall& call, const std::string& cwd) const {
  const Judged seen = judged(turn, call, cwd);
  hub::Decision decided = turn.decide(call.tool, seen.intent);
  if (!seen.is_known && decided.effect == hub::Effect::allow)
    decided = {.effect = hub::Effect::ask, .why = in_words(hub::ReasonId::call_unclear), .reason = hub::ReasonId::call_unclear};
  return decided;
}

Task<Result<claude::PermissionResult>> ClaudeAsks::ask(hub::Turn& turn, const claude::CanUseTool& request, How how) {
  adapter::ClaudeCall call{.tool = request.tool_name, .input = json::parse(request.input.json).value_or(json::Object{})};
  const std::string id = events_.announce(call, request.tool_use_id, claude::text_of(request.agent_id));
  if (const adapter::ClaudeCall* announced = events_.find(id);
      announced != nullptr && call.input.object() != nullptr && call.input.object()->members.empty())
    call.input = announced->input;
  if (auto questions = adapter::claude_questions(call)) co_return co_await ask_questions(turn, call, id, *std::move(questions));
  if (call.tool == "ExitPlanMode") co_return co_await ask_plan(turn, request, call, id);

  auto [intent, is_known] = judged(turn, call, how.cwd);
  std::string why = claude::text_of(request.decision_reason);
  for (const std::string& blocked : claude::blocked_paths_of(request))
    why += (why.empty() ? "" : ", ") + ("blocked path " + blocked);
  const hub::ToolIntent shown = intent;
  // The suggestions of Claude Code are rules and modes by which it would decide alone, so they are not offered: "always" is a
  // rule of the hub.
  hub::AskRequest ask{.call = id,
                      .tool = call.tool,
                      .title = intent.title,
                      .detail = intent.command ? intent.command : intent.detail,
                      .diff = intent.diff,
                      .intent = std::move(intent),
                      .editable = shown.editable};
  if (!why.empty()) {
    ask.reason = hub::Reason(hub::ReasonId::own_words, {std::move(why)});
    ask.reason->agent = "Claude Code";
  }
  if ((how.must_ask || !is_known) && turn.decide(call.tool, *ask.intent).effect == hub::Effect::allow) {
    ask.intent.reset();  // without an intent the policy does not answer
    ask.options = hub::once_offer();
  }
  PARLANCE_CO_TRY(answer, co_await turn.ask(std::move(ask)));
  if (!answer.allowed()) co_return refuse(id, answer);
  claude::Allow allow{.updated_input = request.input};
  if (answer.edited) {
    adapter::ClaudeCall changed{.tool = call.tool, .input = adapter::claude_edited_input(call, shown, *answer.edited)};
    const hub::ToolIntent wanted = judged(turn, changed, how.cwd).intent;
    if (const hub::Decision now = turn.decide(call.tool, wanted); now.effect == hub::Effect::deny)
      co_return refuse(id, {.by = now.rule.empty() ? "mode" : now.why, .why = now.why});
    allow.updated_input.json = json::to_text(changed.input);
    turn.emit(hub::event::ToolUpdate{.call = id, .title = wanted.title, .input_json = allow.updated_input.json});
  }
  co_return claude::PermissionResult{std::move(allow)};
}

claude::PermissionResult ClaudeAsks::refuse(const std::string& call, const hub::AskAnswer& answer) {
  events_.refused(call);
  claude::Deny deny{.message = refusal_text(answer)};
  // Ends the turn instead of continuing without the call.
  if (answer.state == hub::AskState::cancelled || answer.kind == hub::OptionKind::reject_and_stop) deny.interrupt = true;
  return {std::move(deny)};
}

Task<Result<claude::PermissionResult>> ClaudeAsks::ask_questions(hub::Turn& turn, const adapter::ClaudeCall& call, std::string id,
                                                                 std::vector<hub::Question> questions) {
  PARLANCE_CO_TRY(answer, co_await turn.ask({.kind = hub::AskKind::question,
                                             .call = id,
                                             .tool = call.tool,
                                             .title = adapter::claude_title(call),
                                             .reason = hub::Reason(hub::ReasonId::asks, {"Claude Code"}),
                                             .questions = std::move(questions)}));
  if (answer.state != hub::AskState::answered || answer.kind == hub::OptionKind::reject_once) co_return refuse(id, answer);
  co_return claude::PermissionResult{claude::Allow{.updated_input = {adapter::claude_answers(call, answer)}}};
}

Task<Result<claude::PermissionResult>> ClaudeAsks::ask_plan(hub::Turn& turn, const claude::CanUseTool& request,
                                                            const adapter::ClaudeCall& call, std::string id) {
  std::string plan(call.input.text_or("plan", ""));
  if (plan.empty()) plan = "Claude Code has a plan, and told it above.";
  PARLANCE_CO_TRY(
      answer,
      co_await turn.ask(
          {.kind = hub::AskKind::plan,
           .call = id,
           .tool = call.tool,
           .title = "Carry out this plan?",
           .reason = hub::Reason(hub::ReasonId::plan_made, {"Claude Code"}),
           .plan = std::move(plan),
           .options = {{.id = "approve", .label = "Go, and ask me about changes", .kind = hub::OptionKind::allow_once},
                       {.id = "approve_edits", .label = "Go, edits without asking", .kind = hub::OptionKind::allow_always},
                       {.id = "revise", .label = "Plan again", .kind = hub::OptionKind::feedback},
                       {.id = "reject", .label = "No", .kind = hub::OptionKind::reject_once}}}));
  if (answer.state == hub::AskState::answered && answer.kind == hub::OptionKind::feedback) {
    events_.answered(id);  // a request for another plan is no refusal
    co_return claude::PermissionResult{claude::Deny{.message = refusal_text(answer)}};
  }
  if (!answer.allowed()) co_return refuse(id, answer);
  const hub::Mode mode = answer.option == "approve_edits" ? hub::Mode::auto_edit : hub::Mode::default_;
  on_mode_(mode);
  turn.set_mode(mode);
  co_return claude::PermissionResult{
      claude::Allow{.updated_input = request.input,
                    .updated_permissions = {R"([{"type":"setMode","mode":")" + adapter::claude_run_mode(mode) +
                                            R"(","destination":"session"}])"}}};
}

}  // namespace parlance::driver
