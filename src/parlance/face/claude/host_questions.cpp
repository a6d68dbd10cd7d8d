// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/claude/host_questions.h"

#include <optional>
#include <utility>

#include "parlance/adapter/claude/tools.h"
#include "parlance/codec/json/typed.h"
#include "parlance/hub/conversation/ask_options.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/protocol/claude/host.h"
#include "parlance/toolbox/claude_tool_names.h"

namespace parlance::face {
namespace {

// A host without support for requests gives no answer.
constexpr const char* no_person = "There is no person to ask.";

// The answer of a PermissionRequest hook: {"behavior":"allow","updatedInput":…} or {"behavior":"deny","message":…,"interrupt":…}.
std::optional<claude::PermissionResult> result_of(const json::Value& decision) {
  if (decision.is_null()) return std::nullopt;
  auto read = claude::read_permission(json::to_text(decision));
  if (!read) return std::nullopt;
  return *std::move(read);
}

// The host's version of the editable part; no value after any other change.
std::optional<std::string> edited_part(const hub::Ask& ask, const json::Value& input, const json::Value& wanted) {
  if (!ask.editable) return std::nullopt;
  const std::string_view member = *ask.editable == hub::EditablePart::command ? "command" : "content";
  const json::Value* const before = input.find(member);
  const json::Value* const after = wanted.find(member);
  if (before == nullptr || after == nullptr || after->text() == nullptr) return std::nullopt;
  json::Value otherwise = wanted;
  otherwise.object()->set(std::string(member), *before);
  if (!(otherwise == input)) return std::nullopt;
  return *after->text();
}

}  // namespace

// Host and hooks may both decide; the first decision counts.
struct HostQuestions::Race {
  explicit Race(Loop& loop) : changed(loop) {}
  std::optional<Result<claude::PermissionResult>> host{};
  std::optional<claude::PermissionResult> hook{};
  bool hooks_run = false;
  Signal changed;
};

// `settle` removes its entry, possibly before its first wait: then a withdrawal has no effect.
void HostQuestions::ask(const hub::Ask& ask) {
  open_.try_emplace(ask.id);
  Scope::Handle settling = scope_.start(settle(ask));
  if (const auto found = open_.find(ask.id); found != open_.end()) found->second = std::move(settling);
}

void HostQuestions::withdraw(const std::string& ask) {
  const auto found = open_.find(ask);
  if (found == open_.end()) return;
  Scope::Handle settling = std::move(found->second);
  open_.erase(found);
  settling.cancel();
}

Task<void> HostQuestions::settle(hub::Ask ask) {
  Decided decided = co_await decide(ask);
  decided.given.digest = ask.digest;
  decided.given.by = "host";
  open_.erase(ask.id);  // the answer settles the ask: the removal prevents a withdrawal
  static_cast<void>(
      co_await hub_.submit(ask.conversation, hub::AnswerRequest{.request = ask.id, .answer = std::move(decided.given)}));
  if (!decided.ends_turn) co_return;
  interrupted_ = true;
  static_cast<void>(hub_.submit_at_once(settings_.conversation, hub::StopTurn{}));
}

hub::Answer HostQuestions::choose(const hub::Ask& ask, std::initializer_list<hub::OptionKind> kinds, std::string text) {
  hub::Answer given;
  if (!text.empty()) given.text = std::move(text);
  const hub::AskOption* const option = hub::first_option(ask, kinds);
  given.option = option != nullptr ? option->id : std::string(hub::decline);
  return given;
}
HostQuestions::Decided HostQuestions::refuse(const hub::Ask& ask, std::string reason) {
  return {.given = choose(ask, {hub::OptionKind::reject_once, hub::OptionKind::reject_always}, std::move(reason))};
}

const std::string& HostQuestions::folder() const { return hub_.find(settings_.conversation)->folder; }

adapter::ClaudeRelay::Question* HostQuestions::relayed(const hub::Ask& ask) const {
  if (settings_.relay == nullptr || !ask.call) return nullptr;
  const auto found = settings_.relay->questions.find(*ask.call);
  return found == settings_.relay->questions.end() ? nullptr : &found->second;
}

claude::CanUseTool HostQuestions::request_for(const hub::Ask& ask) const {
  if (const adapter::ClaudeRelay::Question* const question = relayed(ask)) return question->request;
  hub::ToolCall call{.tool = ask.tool.value_or("Tool"), .arguments_json = "{}"};
  if (ask.call)
    if (const json::Value* input = settings_.input_of(*ask.call)) call.arguments_json = json::to_text(*input);
  call = toolbox::claude_call(std::move(call), folder());
  // The host approves the MCP server's request, not the input of the running call.
  if (const HostTools::Passed* const request = tools_.find(ask); request != nullptr && request->call.tool == ask.tool)
    call.arguments_json = json::to_text(request->call.input);
  claude::CanUseTool request{.tool_name = call.tool, .input = {call.arguments_json}, .tool_use_id = ask.call};
  if (ask.kind == hub::AskKind::question) {
    request.tool_name = "AskUserQuestion";
    request.input.json = adapter::claude_question_input(ask.questions.value_or(std::vector<hub::Question>{}));
  } else if (ask.kind == hub::AskKind::plan) {
    request.tool_name = "ExitPlanMode";
    json::Object input;
    input.set("plan", ask.plan.value_or(""));
    request.input.json = json::to_text(json::Value(std::move(input)));
  }
  request.display_name = claude::text_content(request.tool_name);
  request.title = claude::text_content(ask.title);
  return request;
}

// The call's earlier hook result. For an agent with its own tool loop the hooks run now, and can only forbid.
Task<const HostTools::Passed*> HostQuestions::passed(const hub::Ask& ask, const claude::CanUseTool& request, Decided& refused) {
  const std::string call = ask.call.value_or("");
  if (const auto* const known = tools_.find(ask)) co_return known;
  const toolbox::ToolVerdict verdict = co_await tools_.judge(
      {.tool = request.tool_name, .input = json::parse_or_null(request.input.json), .folder = folder()}, call);
  if (verdict.say == toolbox::ToolVerdict::Say::deny) refused = refuse(ask, verdict.why);
  else if (verdict.arguments_json)
    refused =
        refuse(ask, "A hook wants another input, which this agent cannot take; ask again with it: " + *verdict.arguments_json);
  else if (verdict.say == toolbox::ToolVerdict::Say::allow && ask.kind == hub::AskKind::permission)
    refused = {.given = choose(ask, {hub::OptionKind::allow_once})};
  co_return tools_.find(call);
}

Task<HostQuestions::Decided> HostQuestions::decide(const hub::Ask& ask) {
  claude::CanUseTool request = request_for(ask);
  RuledCall call{.tool = request.tool_name, .input = json::parse_or_null(request.input.json), .folder = folder()};
  if (relayed(ask) == nullptr && settings_.relay == nullptr) {
    Decided decided;
    const HostTools::Passed* const known = co_await passed(ask, request, decided);
    if (decided.given.option) co_return decided;
    const bool must_ask = known != nullptr && known->must_ask;
    if (ask.kind == hub::AskKind::permission) {
      if (!must_ask && rules_.allows(call)) co_return Decided{.given = choose(ask, {hub::OptionKind::allow_once})};
      QuestionAbout about = question_about(call);
      if (known != nullptr && known->reason) about = {.reason = *known->reason};  // a rule would not answer the next request
      request.suggestions.json = std::move(about.suggestions_json);
      if (!about.reason.empty()) request.decision_reason = claude::text_content(about.reason);
    }
  }
  co_return co_await decide_by_host(ask, std::move(request), std::move(call));
}

Task<void> HostQuestions::ask_host(Race& race, claude::CanUseTool request) {
  race.host = co_await agent_.can_use_tool(std::move(request));
  race.changed.notify_all();
}

Task<void> HostQuestions::ask_hooks(Race& race, json::Object input, std::string tool) {
  const HostHooks::Verdict said = co_await hooks_.run("PermissionRequest", std::move(tool), std::move(input), "");
  race.hook = result_of(said.request);
  race.hooks_run = true;
  race.changed.notify_all();
}

Task<HostQuestions::Decided> HostQuestions::decide_by_host(const hub::Ask& ask, claude::CanUseTool request, RuledCall call) {
  Race race(loop_);
  Scope asking(loop_);
  json::Object input = settings_.hook_input("PermissionRequest");
  input.set("tool_name", request.tool_name);
  input.set("tool_input", call.input);
  if (!request.suggestions.json.empty()) input.set("permission_suggestions", json::parse_or_null(request.suggestions.json));
  const bool host_answers = settings_.asks();
  const std::string reason = claude::text_of(request.decision_reason);
  if (host_answers) asking.start(ask_host(race, std::move(request)));
  asking.start(ask_hooks(race, std::move(input), call.tool));
  while (!race.host && !race.hook && (host_answers || !race.hooks_run)) co_await race.changed.wait();
  const Result<claude::PermissionResult> answer =
      race.hook   ? Result<claude::PermissionResult>(*race.hook)
      : race.host ? *race.host
                  : Result<claude::PermissionResult>(
                        claude::PermissionResult{claude::Deny{.message = reason.empty() ? no_person : reason}});
  if (!answer) co_return refuse(ask, "Tool permission request failed: Error: " + answer.error().message);
  adapter::ClaudeRelay::Question* const question = relayed(ask);
  if (question != nullptr) question->answer = *answer;
  if (const auto* deny = std::get_if<claude::Deny>(&answer->value)) {
    Decided refused = refuse(ask, deny->message);
    refused.ends_turn = deny->interrupt.value_or(false) && question == nullptr;
    co_return refused;
  }
  co_return allowed(ask, call, std::get<claude::Allow>(answer->value));
}

HostQuestions::Decided HostQuestions::allowed(const hub::Ask& ask, const RuledCall& call, const claude::Allow& allow) {
  using hub::OptionKind;
  const json::Value wanted = json::parse_or_null(allow.updated_input.json);
  if (ask.kind == hub::AskKind::question) return {.given = answers_of(ask, wanted)};
  const bool other_input = wanted.object() != nullptr && !(wanted == call.input);
  if (relayed(ask) == nullptr && other_input && ask.kind == hub::AskKind::permission) {
    const bool is_call = ask.call && tools_.runs(*ask.call) && tools_.find(ask) == tools_.find(*ask.call);
    if (!is_call) {
      if (auto edited = edited_part(ask, call.input, wanted)) {
        Decided decided{.given = choose(ask, {OptionKind::allow_once, OptionKind::allow_always})};
        decided.given.edited = std::move(edited);
        return decided;
      }
      return refuse(ask,
                    "The host wants another input, which this agent cannot take; ask again with it: " + allow.updated_input.json);
    }
    tools_.agree(*ask.call, allow.updated_input.json);
  }
  if (relayed(ask) == nullptr)
    if (const json::Value updates = json::parse_or_null(allow.updated_permissions.json); updates.array() != nullptr)
      for (const json::Value& element : *updates.array())
        if (const auto update = json::from_text<claude::PermissionUpdate>(json::to_text(element))) settings_.update(*update);
  return {.given = choose(ask, {OptionKind::allow_once, OptionKind::allow_always})};
}

hub::Answer HostQuestions::answers_of(const hub::Ask& ask, const json::Value& input) {
  hub::Answer given;
  const json::Value* answers = input.find("answers");
  for (const hub::Question& question : *ask.questions) {
    const std::string text(answers != nullptr ? answers->text_or(question.question, "") : "");
    if (text.empty()) return choose(ask, {});
    given.answers.push_back({text});
  }
  return given;
}

}  // namespace parlance::face
