// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/acp/elicited_form.h"

#include <algorithm>

namespace parlance::driver {
namespace {

constexpr std::string_view question = "question_";
constexpr std::string_view custom = "_custom";

}  // namespace

Result<ElicitedForm> ElicitedForm::of(const acp::CreateElicitation& asked) {
  ElicitedForm form;
  if (asked.mode == "form") form.asked_ = numbered_questions(json::parse_or_null(asked.requested_schema.json));
  if (form.asked_.empty()) {
    mcp::ElicitParams as_mcp{.mode = asked.mode,
                             .message = asked.message,
                             .requested_schema = asked.requested_schema,
                             .elicitation_id = asked.elicitation_id,
                             .url = asked.url};
    PARLANCE_TRY(read, toolbox::McpForm::of(as_mcp));
    form.message_ = read.message();
    form.form_ = std::move(read);
  } else {
    form.message_ = asked.message.empty() ? form.asked_.front().question : asked.message;
  }
  return form;
}

std::vector<ElicitedForm::Asked> ElicitedForm::numbered_questions(const json::Value& schema) {
  std::vector<Asked> all;
  const json::Value* properties = schema.find("properties");
  if (properties == nullptr || properties->object() == nullptr) return {};
  for (const auto& [name, property] : properties->object()->members) {
    if (!name.starts_with(question)) return {};
    if (name.ends_with(custom)) continue;
    Asked asked{.property = name,
                .header = std::string(property.text_or("title", "")),
                .question = std::string(property.text_or("description", property.text_or("title", ""))),
                .takes_words = properties->find(name + std::string(custom)) != nullptr};
    const json::Value* choices = property.find("oneOf");
    if (const json::Value* items = property.find("items"); items != nullptr) {
      asked.multiple = true;
      choices = items->find("anyOf");
    }
    if (choices == nullptr || choices->array() == nullptr) return {};
    for (const json::Value& choice : *choices->array())
      asked.choices.push_back({.value = std::string(choice.text_or("const", "")),
                               .label = std::string(choice.text_or("title", choice.text_or("const", ""))),
                               .description = std::string(choice.text_or("description", ""))});
    all.push_back(std::move(asked));
  }
  return all;
}

std::vector<hub::Question> ElicitedForm::questions() const {
  if (form_) return form_->questions();
  std::vector<hub::Question> all;
  for (const Asked& asked : asked_) {
    hub::Question made{.header = asked.header, .question = asked.question, .multiple = asked.multiple};
    for (const Choice& choice : asked.choices) made.options.push_back({.label = choice.label, .description = choice.description});
    all.push_back(std::move(made));
  }
  return all;
}

bool ElicitedForm::declined(const hub::AskAnswer& answer) const { return form_ && form_->declined(answer.answers); }

Result<wire::Raw> ElicitedForm::content(const hub::AskAnswer& answer) const {
  if (form_) return form_->content(answer.answers);
  json::Object content;
  for (std::size_t i = 0; i < asked_.size() && i < answer.answers.size(); ++i) {
    const Asked& asked = asked_[i];
    json::Array chosen;
    for (const std::string& given : answer.answers[i]) {
      const auto choice = std::ranges::find(asked.choices, given, &Choice::label);
      if (choice != asked.choices.end()) chosen.emplace_back(choice->value);
      else if (asked.takes_words) content.set(asked.property + std::string(custom), given);
      else return fail(Errc::invalid_params, "\"" + asked.question + "\" takes one of its answers, and no other words");
    }
    if (chosen.empty()) continue;
    if (asked.multiple) content.set(asked.property, json::Value(std::move(chosen)));
    else content.set(asked.property, chosen.front());
  }
  return wire::Raw{json::to_text(json::Value(std::move(content)))};
}

}  // namespace parlance::driver
