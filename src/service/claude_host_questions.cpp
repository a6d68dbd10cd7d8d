#include "service/claude_host_questions.h"

#include <algorithm>
#include <utility>

#include "protocol/claude/host.h"
#include "service/claude_tools.h"

namespace parlance::service {
namespace {

// A rule about what a tool gets ("Bash(git:*)") is not ours to judge: such calls are asked about.
bool names(const std::vector<std::string>& tools, const std::string& tool) {
  return std::ranges::any_of(tools, [&](const std::string& one) {
    return one == tool || own_tool(one) == tool || (one.starts_with("mcp__") && tool.starts_with(one + "__"));
  });
}

}  // namespace

// `settle` takes its entry out, perhaps before it has waited for anything: then there is nothing to withdraw any more.
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

void HostQuestions::disallow(const std::vector<std::string>& tools) {
  settings_.disallowed_tools.insert(settings_.disallowed_tools.end(), tools.begin(), tools.end());
}

Task<void> HostQuestions::settle(hub::Ask ask) {
  hub::GivenAnswer given = co_await decide(ask);
  given.digest = ask.digest;
  given.by = "host";
  open_.erase(ask.id);  // the answer itself settles it: it must not be taken for a withdrawal
  const bool stops = std::exchange(interrupt_, false);
  static_cast<void>(co_await hub_.answer(ask.id, std::move(given)));
  if (stops) static_cast<void>(hub_.stop(settings_.conversation));
}

hub::GivenAnswer HostQuestions::choose(const hub::Ask& ask, std::initializer_list<hub::OptionKind> kinds, std::string text) {
  hub::GivenAnswer given;
  if (!text.empty()) given.text = std::move(text);
  for (const hub::OptionKind kind : kinds)
    for (const hub::AskOption& option : ask.options)
      if (option.kind == kind) {
        given.option = option.id;
        return given;
      }
  given.option = std::string(hub::decline);
  return given;
}
hub::GivenAnswer HostQuestions::refuse(const hub::Ask& ask, std::string why) {
  return choose(ask, {hub::OptionKind::reject_once, hub::OptionKind::reject_always}, std::move(why));
}

claude::CanUseTool HostQuestions::request_for(const hub::Ask& ask) const {
  claude::CanUseTool request{.tool_name = ask.tool.value_or("Tool"), .input = {"{}"}, .tool_use_id = ask.call};
  if (ask.call)
    if (const json::Value* input = settings_.input_of(*ask.call)) request.input.json = json::to_text(*input);
  if (ask.kind == hub::AskKind::question) {
    request.tool_name = "AskUserQuestion";
    request.input.json = claude_question_input(ask.questions.value_or(std::vector<hub::Question>{}));
  } else if (ask.kind == hub::AskKind::plan) {
    request.tool_name = "ExitPlanMode";
    json::Object input;
    input.set("plan", ask.plan.value_or(""));
    request.input.json = json::to_text(json::Value(std::move(input)));
  }
  request.title = claude::text_content(ask.title);
  request.decision_reason = claude::text_content(ask.why);
  return request;
}

Task<hub::GivenAnswer> HostQuestions::decide(const hub::Ask& ask) {
  using hub::OptionKind;
  claude::CanUseTool request = request_for(ask);
  json::Object input = settings_.hook_input("PreToolUse");
  input.set("tool_name", request.tool_name);
  input.set("tool_input", json::parse_or_null(request.input.json));
  input.set("tool_use_id", ask.call.value_or(""));
  const HostHooks::Verdict verdict =
      co_await hooks_.run("PreToolUse", request.tool_name, std::move(input), ask.call.value_or(""));
  if (verdict.decision == "deny") co_return refuse(ask, verdict.reason);
  if (verdict.decision == "allow" && ask.kind == hub::AskKind::permission) co_return choose(ask, {OptionKind::allow_once});
  if (ask.kind == hub::AskKind::permission) {
    if (names(settings_.disallowed_tools, request.tool_name))
      co_return refuse(ask, "The host does not allow " + request.tool_name + ".");
    if (names(settings_.allowed_tools, request.tool_name)) co_return choose(ask, {OptionKind::allow_once});
  }
  if (!settings_.asks()) co_return refuse(ask, "Nobody is there to be asked.");

  const wire::Raw before = request.input;
  const auto answer = co_await agent_.can_use_tool(std::move(request));
  if (!answer) co_return refuse(ask, "Tool permission request failed: " + answer.error().message);
  if (const auto* deny = std::get_if<claude::Deny>(&answer->value)) {
    interrupt_ = deny->interrupt.value_or(false);
    co_return refuse(ask, deny->message);
  }
  const auto& allow = std::get<claude::Allow>(answer->value);
  const json::Value wanted = json::parse_or_null(allow.updated_input.json);
  if (ask.kind == hub::AskKind::question) co_return answers_of(ask, wanted);
  if (!wanted.is_null() && !(wanted == json::parse_or_null(before.json)))
    co_return refuse(
        ask, "The host wants another input, which this agent cannot take; ask again with it: " + allow.updated_input.json);
  const json::Value updates = json::parse_or_null(allow.updated_permissions.json);
  if (updates.array() != nullptr && !updates.array()->empty())
    co_return choose(ask, {OptionKind::allow_always, OptionKind::allow_once});
  co_return choose(ask, {OptionKind::allow_once, OptionKind::allow_always});
}

hub::GivenAnswer HostQuestions::answers_of(const hub::Ask& ask, const json::Value& input) {
  hub::GivenAnswer given;
  const json::Value* answers = input.find("answers");
  for (const hub::Question& question : *ask.questions) {
    const std::string text(answers != nullptr ? answers->text_or(question.question, "") : "");
    if (text.empty()) return choose(ask, {});
    given.answers.push_back({text});
  }
  return given;
}

}  // namespace parlance::service
