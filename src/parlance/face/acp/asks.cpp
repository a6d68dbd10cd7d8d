// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/acp/asks.h"

#include <algorithm>
#include <utility>

#include "parlance/codec/json/value.h"
#include "parlance/face/acp/updates.h"
#include "parlance/hub/conversation/ask_options.h"

namespace parlance::face {
namespace {

using hub::OptionKind;

constexpr std::string_view no_option = "decline";

// Feedback needs text, and a permission has no field for text.
std::optional<acp::PermissionKind> kind_of(OptionKind kind) {
  switch (kind) {
    case OptionKind::allow_once:
    case OptionKind::choice: return acp::PermissionKind::allow_once;
    case OptionKind::allow_always: return acp::PermissionKind::allow_always;
    case OptionKind::reject_once:
    case OptionKind::reject_and_stop: return acp::PermissionKind::reject_once;
    case OptionKind::reject_always: return acp::PermissionKind::reject_always;
    case OptionKind::feedback: break;
  }
  return std::nullopt;
}

hub::Answer by(const hub::Ask& ask, const std::string& client) { return {.digest = ask.digest, .by = client}; }

std::string key_of(std::size_t question) { return "question_" + std::to_string(question); }

json::Value texts(std::string_view name, std::string_view text) {
  json::Object object;
  object.set(std::string(name), text);
  return object;
}

json::Value choices(const hub::Question& question) {
  json::Array all;
  for (const hub::QuestionOption& option : question.options) {
    json::Value choice = texts("const", option.label);
    choice.object()->set("title", option.label);
    if (!option.description.empty()) choice.object()->set("description", option.description);
    all.push_back(std::move(choice));
  }
  return all;
}

json::Value property(const hub::Question& question) {
  json::Object field;
  const bool several = question.multiple && !question.options.empty();
  field.set("type", several ? "array" : "string");
  field.set("title", question.header.empty() ? question.question : question.header);
  field.set("description", question.question);
  if (several) {
    json::Object items;
    items.set("anyOf", choices(question));
    field.set("items", std::move(items));
  } else if (!question.options.empty()) {
    field.set("oneOf", choices(question));
  }
  return field;
}

// Text, or a list of texts.
std::vector<std::string> words_in(const json::Value* value) {
  std::vector<std::string> words;
  if (value == nullptr) return words;
  if (const std::string* text = value->text(); text != nullptr && !text->empty()) words.push_back(*text);
  if (const json::Array* list = value->array())
    for (const json::Value& entry : *list)
      if (const std::string* text = entry.text(); text != nullptr && !text->empty()) words.push_back(*text);
  return words;
}

// All content of the approval, added to the call's known data.
void show(const hub::Ask& ask, acp::ToolCallUpdate& call) {
  std::vector<acp::ToolContent> all = call.content.value_or(std::vector<acp::ToolContent>{});
  if (ask.diff) {
    std::erase_if(all, [&](const acp::ToolContent& content) {
      const auto* diff = std::get_if<acp::ToolDiff>(&content.value);
      return diff != nullptr && diff->path == ask.diff->path;
    });
    all.push_back(acp_diff(*ask.diff));
  }
  if (ask.plan) all.push_back(acp_tool_text(*ask.plan));
  if (ask.detail) all.push_back(acp_tool_text(fenced(*ask.detail)));
  if (!ask.why.empty()) all.push_back(acp_tool_text(ask.why));
  if (!all.empty()) call.content = std::move(all);
}

}  // namespace

hub::Answer refused(const hub::Ask& ask, const std::string& client, std::string reason) {
  hub::Answer given = by(ask, client);
  if (ask.kind == hub::AskKind::question) {
    given.option = std::string(hub::decline);
  } else if (const hub::AskOption* no = hub::refusing_option(ask)) {
    given.option = no->id;
  } else if (const hub::AskOption* words = hub::first_option(ask, {OptionKind::feedback})) {
    given.option = words->id;
    if (reason.empty()) reason = "The person did not agree.";
  }
  if (!reason.empty()) given.text = std::move(reason);
  return given;
}

hub::Answer answered(const hub::Ask& ask, std::vector<std::vector<std::string>> answers, const std::string& client) {
  if (std::ranges::all_of(answers, &std::vector<std::string>::empty)) return refused(ask, client);
  hub::Answer given = by(ask, client);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].empty()) answers[i].emplace_back(hub::not_answered);
    if (answers[i].size() > 1 && i < questions_in(ask).size() && !questions_in(ask)[i].multiple) answers[i].resize(1);
  }
  given.answers = std::move(answers);
  return given;
}

// ---- permissions -----------------------------------------------------------------------------------------------------------

acp::RequestPermission acp_permission(const std::string& session, const hub::Ask& ask, acp::ToolCallUpdate call) {
  call.tool_call_id = ask.call.value_or(ask.id);
  if (!call.title || !ask.title.empty()) call.title = ask.title;
  if (ask.kind == hub::AskKind::plan) call.kind = wire::Open<acp::ToolKind>{.value = acp::ToolKind::switch_mode};
  call.status = wire::Open<acp::ToolStatus>{.value = acp::ToolStatus::pending};
  if (!call.name && ask.tool) call.name = ask.tool;
  show(ask, call);
  acp::RequestPermission request{.session_id = session, .tool_call = std::move(call)};
  for (const hub::AskOption& option : ask.options)
    if (const auto kind = kind_of(option.kind))
      request.options.push_back({.option_id = option.id, .name = option.label, .kind = {.value = *kind}});
  return request;
}

hub::Answer given_by(const hub::Ask& ask, const acp::PermissionReply& reply, const std::string& client) {
  const auto* selected = std::get_if<acp::Selected>(&reply.outcome.value);
  if (selected == nullptr) return refused(ask, client);
  const auto option = std::ranges::find(ask.options, selected->option_id, &hub::AskOption::id);
  if (option == ask.options.end() || option->kind == OptionKind::feedback)
    return refused(ask, client, "The client chose \"" + selected->option_id + "\", which was not offered.");
  hub::Answer given = by(ask, client);
  given.option = option->id;
  return given;
}

// ---- forms -------------------------------------------------------------------------------------------------------------------

acp::CreateElicitation acp_form(const std::string& session, const hub::Ask& ask) {
  json::Object properties;
  json::Array required;
  for (std::size_t i = 0; i < questions_in(ask).size(); ++i) {
    const hub::Question& question = questions_in(ask)[i];
    properties.set(key_of(i), property(question));
    if (question.options.empty()) {
      required.emplace_back(key_of(i));
      continue;
    }
    json::Value custom = texts("type", "string");
    custom.object()->set("title", "Other");
    custom.object()->set("description", "An answer in your own words, in place of the choice above.");
    properties.set(key_of(i) + "_custom", std::move(custom));
  }
  json::Value schema = texts("type", "object");
  schema.object()->set("properties", std::move(properties));
  if (!required.empty()) schema.object()->set("required", std::move(required));
  acp::CreateElicitation request{.mode = "form", .session_id = session, .tool_call_id = ask.call};
  request.message = ask.title;
  if (request.message.empty() && !questions_in(ask).empty()) request.message = questions_in(ask).front().question;
  request.requested_schema.json = json::to_text(schema);
  return request;
}

hub::Answer given_by(const hub::Ask& ask, const acp::ElicitationReply& reply, const std::string& client) {
  if (!reply.action.unknown.empty() || reply.action.value != acp::ElicitationAction::accept) return refused(ask, client);
  const json::Value content = json::parse_or_null(reply.content.json);
  std::vector<std::vector<std::string>> answers;
  for (std::size_t i = 0; i < questions_in(ask).size(); ++i) {
    std::vector<std::string> words = words_in(content.find(key_of(i)));
    std::vector<std::string> own = words_in(content.find(key_of(i) + "_custom"));
    if (!own.empty() && !questions_in(ask)[i].multiple) words.clear();
    words.insert(words.end(), own.begin(), own.end());
    answers.push_back(std::move(words));
  }
  return answered(ask, std::move(answers), client);
}

// ---- questions as permissions ----------------------------------------------------------------------------------------------

bool can_be_permissions(const hub::Ask& ask) {
  return !questions_in(ask).empty() &&
         std::ranges::none_of(questions_in(ask), [](const hub::Question& question) { return question.options.empty(); });
}

acp::RequestPermission acp_question(const std::string& session, const hub::Ask& ask, std::size_t question) {
  const hub::Question& asked = questions_in(ask)[question];
  acp::ToolCallUpdate call{.tool_call_id = ask.id + "-" + std::to_string(question),
                           .title = asked.question,
                           .kind = wire::Open<acp::ToolKind>{.value = acp::ToolKind::other},
                           .status = wire::Open<acp::ToolStatus>{.value = acp::ToolStatus::pending}};
  std::string list;
  for (const hub::QuestionOption& option : asked.options)
    if (!option.description.empty()) list += "- **" + option.label + "**: " + option.description + "\n";
  if (asked.multiple) list += "Only one of them can be chosen here.\n";
  if (!list.empty()) call.content = std::vector<acp::ToolContent>{acp_tool_text(std::move(list))};
  acp::RequestPermission request{.session_id = session, .tool_call = std::move(call)};
  for (std::size_t i = 0; i < asked.options.size(); ++i)
    request.options.push_back({.option_id = "option_" + std::to_string(i),
                               .name = asked.options[i].label,
                               .kind = {.value = acp::PermissionKind::allow_once}});
  request.options.push_back(
      {.option_id = std::string(no_option), .name = "Do not answer", .kind = {.value = acp::PermissionKind::reject_once}});
  return request;
}

std::optional<std::string> chosen_label(const hub::Ask& ask, std::size_t question, const acp::PermissionReply& reply) {
  const auto* selected = std::get_if<acp::Selected>(&reply.outcome.value);
  if (selected == nullptr) return std::nullopt;
  const std::vector<hub::QuestionOption>& options = questions_in(ask)[question].options;
  for (std::size_t i = 0; i < options.size(); ++i)
    if (selected->option_id == "option_" + std::to_string(i)) return options[i].label;
  return std::nullopt;
}

// ---- iFlow -------------------------------------------------------------------------------------------------------------------

// iFlow's answers use headers as keys, so headers must be present and unique.
acp::iflow::Questions iflow_questions(const std::string& session, const hub::Ask& ask) {
  acp::iflow::Questions request{.session_id = session};
  const std::vector<std::string> headers = hub::question_keys(ask);
  for (std::size_t i = 0; i < headers.size(); ++i) {
    const hub::Question& original = questions_in(ask)[i];
    acp::iflow::Question question{.question = original.question, .header = headers[i], .multi_select = original.multiple};
    for (const hub::QuestionOption& option : original.options)
      question.options.push_back({.label = option.label, .description = option.description});
    request.questions.push_back(std::move(question));
  }
  return request;
}

hub::Answer given_by(const hub::Ask& ask, const acp::iflow::Answers& answers, const std::string& client) {
  std::vector<std::vector<std::string>> given;
  for (const std::string& header : hub::question_keys(ask)) {
    const auto found = answers.answers.find(header);
    const json::Value value = found == answers.answers.end() ? json::Value() : json::parse_or_null(found->second.json);
    given.push_back(words_in(&value));
  }
  return answered(ask, std::move(given), client);
}

acp::iflow::PlanExit iflow_plan(const std::string& session, const hub::Ask& ask) {
  return {.session_id = session, .plan = ask.plan.value_or(ask.detail.value_or(ask.title))};
}

hub::Answer given_by(const hub::Ask& ask, const acp::iflow::PlanDecision& decision, const std::string& client) {
  hub::Answer given = by(ask, client);
  const hub::AskOption* option =
      decision.approved ? hub::first_option(ask, {OptionKind::allow_once, OptionKind::allow_always, OptionKind::choice})
                        : nullptr;
  const bool words = decision.reason && !decision.reason->empty();
  if (!decision.approved && words) option = hub::first_option(ask, {OptionKind::feedback});
  if (option == nullptr) return refused(ask, client, decision.reason.value_or(""));
  given.option = option->id;
  if (words) given.text = decision.reason;
  return given;
}

}  // namespace parlance::face
