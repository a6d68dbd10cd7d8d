// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/mcp/form.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "parlance/base/regex/pattern.h"
#include "parlance/base/text.h"

namespace parlance::toolbox {
namespace {

constexpr std::size_t most_fields = 20;         // a longer form is too much work for a person
constexpr std::size_t most_choices = 200;       // of a field
constexpr std::size_t text_bytes = 8 << 10;     // of a message, a title or a description: the page shows each completely
constexpr std::size_t format_work = 1'000'000;  // limit of the regex search in each answer: 10 ms

constexpr std::string_view left_out = "(leave it out)";
constexpr std::string_view accepted = "Accept";
constexpr std::string_view declined_choice = "Decline";

// The formats of forms; schemas only describe formats (decision 0014).
struct Format {
  std::string_view name;
  std::string_view expression;
  std::string_view example;
};
constexpr std::array formats{
    Format{"email", R"(^[^@\s]+@[^@\s]+\.[^@\s.]+$)", "name@example.org"},
    Format{"uri", R"(^[A-Za-z][A-Za-z0-9+.\-]*:[^\s]+$)", "https://example.org"},
    Format{"date", R"(^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$)", "2026-01-31"},
    Format{"date-time",
           R"(^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[+\-]\d\d:\d\d)$)",
           "2026-01-31T12:00:00Z"}};

// Terminals also show the texts of servers, so control characters become spaces.
std::string shown(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f) c = ' ';
  return out;
}

bool is_too_long(const json::Value& node, std::string_view member) { return node.text_or(member, "").size() > text_bytes; }

Result<void> check_format(const std::string& name, std::string_view format, const std::string& text) {
  const auto known = std::ranges::find(formats, format, &Format::name);
  if (known == formats.end()) return {};
  PARLANCE_TRY(pattern, regex::Pattern::compile(known->expression));
  std::size_t work = format_work;
  if (pattern.found_in(text, work)) return {};
  return fail(Errc::invalid_params,
              name + ": \"" + text + "\" is no " + std::string(format) + ", such as " + std::string(known->example));
}

bool is_web_address(std::string_view url) {
  return (url.starts_with("https://") || url.starts_with("http://")) &&
         std::ranges::all_of(url, [](char c) { return c > 0x20 && c < 0x7f; });
}

const json::Value* listed(const json::Value& node, std::string_view member) {
  const json::Value* list = node.find(member);
  return list != nullptr && list->array() != nullptr ? list : nullptr;
}

}  // namespace

// ---- the form ------------------------------------------------------------------------------------------------------------

Result<McpForm> McpForm::of(const mcp::ElicitParams& asked) {
  McpForm form;
  if (asked.message.size() > text_bytes) return fail(Errc::invalid_params, "the message is too long to be shown");
  form.message_ = shown(asked.message);
  if (asked.mode == "url") {
    const std::string url = asked.url.value_or("");
    if (!is_web_address(url) || url.size() > text_bytes)
      return fail(Errc::invalid_params, "url: no address of a web page: " + url);
    form.message_ += "\nOpen this page yourself, if you know and trust it: " + url;
    form.fields_.push_back({.kind = Kind::consent, .required = true});
    return form;
  }
  if (asked.mode && *asked.mode != "form") return fail(Errc::invalid_params, "mode: only form and url are supported");
  auto schema = json::parse(asked.requested_schema.json.empty() ? "{}" : asked.requested_schema.json);
  if (!schema || schema->object() == nullptr) return fail(Errc::invalid_params, "requestedSchema: expected an object");
  const json::Value* properties = schema->find("properties");
  if (properties != nullptr && properties->object() != nullptr) {
    if (properties->object()->members.size() > most_fields)
      return fail(Errc::invalid_params, "requestedSchema: more than " + std::to_string(most_fields) + " fields");
    for (const auto& [name, property] : properties->object()->members) {
      PARLANCE_TRY(field, field_of(name, property));
      form.fields_.push_back(std::move(field));
    }
  }
  if (const json::Value* required = listed(*schema, "required"))
    for (Field& field : form.fields_)
      field.required = std::ranges::any_of(
          *required->array(), [&](const json::Value& key) { return key.text() != nullptr && *key.text() == field.name; });
  if (form.fields_.empty()) form.fields_.push_back({.kind = Kind::consent, .required = true});
  PARLANCE_TRY(validator, schema::Validator::compile(*std::move(schema)));
  form.validator_ = std::move(validator);
  return form;
}

Result<McpForm::Field> McpForm::field_of(const std::string& name, const json::Value& property) {
  const auto refuse = [&](std::string_view why) {
    return fail(Errc::invalid_params, "requestedSchema.properties." + name + ": " + std::string(why));
  };
  if (property.object() == nullptr) return refuse("expected an object");
  if (is_too_long(property, "title") || is_too_long(property, "description")) return refuse("too long to be shown");
  Field field{.name = name,
              .title = shown(property.text_or("title", name)),
              .description = shown(property.text_or("description", "")),
              .format = std::string(property.text_or("format", ""))};
  if (const json::Value* preset = property.find("default")) field.preset = *preset;
  const std::string_view type = property.text_or("type", "");
  const json::Value* const items = property.find("items");
  const bool several = type == "array" && items != nullptr;
  const json::Value& choices = several ? *items : property;
  const json::Value* values = listed(choices, "enum");
  const json::Value* const names = listed(property, "enumNames");
  const json::Value* titled = listed(choices, "oneOf");
  if (titled == nullptr) titled = listed(choices, "anyOf");
  const auto add = [&](std::string label, const json::Value& value) {
    const auto same = [&](const Choice& choice) { return choice.label == label; };
    if (std::ranges::any_of(field.choices, same)) label += " (" + json::to_text(value) + ")";
    field.choices.push_back({.label = shown(label), .value = value});
  };
  const auto text_of = [](const json::Value& value) { return value.text() != nullptr ? *value.text() : json::to_text(value); };
  if (values != nullptr) {
    for (std::size_t i = 0; i < values->array()->size(); ++i) {
      const json::Value& value = (*values->array())[i];
      const json::Value* label = names != nullptr && i < names->array()->size() ? &(*names->array())[i] : &value;
      add(text_of(*label), value);
    }
  } else if (titled != nullptr) {
    for (const json::Value& choice : *titled->array())
      if (const json::Value* value = choice.find("const")) add(std::string(choice.text_or("title", text_of(*value))), *value);
  }
  if (field.choices.size() > most_choices) return refuse("too many choices");
  if (several) field.kind = Kind::choices;
  else if (!field.choices.empty()) field.kind = Kind::choice;
  else if (type == "boolean") field.kind = Kind::boolean;
  else if (type == "integer") field.kind = Kind::integer;
  else if (type == "number") field.kind = Kind::number;
  else if (type != "string") return refuse("a field is text, a number, yes or no, or a choice");
  if (several && field.choices.empty()) return refuse("a list needs choices");
  return field;
}

// ---- as questions ----------------------------------------------------------------------------------------------------------

std::vector<hub::Question> McpForm::questions() const {
  std::vector<hub::Question> all;
  for (const Field& field : fields_) all.push_back(question_of(field));
  if (all.size() == 1 && fields_.front().kind == Kind::consent) all.front().question = message_;
  return all;
}

hub::Question McpForm::question_of(const Field& field) {
  hub::Question question{.header = field.title,
                         .question = field.description.empty() ? field.title : field.title + ": " + field.description,
                         .multiple = field.kind == Kind::choices};
  const auto preset_text = [&](const json::Value& value) {
    return value.text() != nullptr ? *value.text() : json::to_text(value);
  };
  const auto note = [&](bool preset) { return std::string(preset ? "the default value" : ""); };
  switch (field.kind) {
    case Kind::consent: question.options = {{std::string(accepted), ""}, {std::string(declined_choice), ""}}; break;
    case Kind::boolean:
      for (const bool value : {true, false}) {
        const bool preset = field.preset && field.preset->boolean() != nullptr && *field.preset->boolean() == value;
        question.options.push_back({value ? "Yes" : "No", note(preset)});
      }
      break;
    case Kind::choice:
    case Kind::choices:
      for (const Choice& choice : field.choices)
        question.options.push_back(
            {choice.label, note(field.preset && json::to_text(*field.preset) == json::to_text(choice.value))});
      break;
    default:
      if (field.preset) question.options.push_back({shown(preset_text(*field.preset)), note(true)});
      if (!field.format.empty()) question.question += " (" + field.format + ")";
      break;
  }
  if (!field.required) question.options.push_back({std::string(left_out), ""});
  return question;
}

// ---- and back ----------------------------------------------------------------------------------------------------------------

bool McpForm::declined(const Answers& answers) const {
  return fields_.size() == 1 && fields_.front().kind == Kind::consent &&
         (answers.size() != 1 || answers.front() != std::vector<std::string>{std::string(accepted)});
}

Result<json::Value> McpForm::one_value(const Field& field, const std::string& text) {
  const auto refuse = [&](std::string_view why) { return fail(Errc::invalid_params, field.title + ": " + std::string(why)); };
  const std::string_view bare = trim(text);
  switch (field.kind) {
    case Kind::consent:
    case Kind::text: {
      PARLANCE_TRY_DO(check_format(field.title, field.format, text));
      return json::Value(text);
    }
    case Kind::integer:
      if (const auto number = parse_number<std::int64_t>(bare)) return json::Value(*number);
      return refuse("\"" + text + "\" is no whole number");
    case Kind::number: {
      if (const auto whole = parse_number<std::int64_t>(bare)) return json::Value(*whole);
      const auto number = parse_number<double>(bare);
      if (!number || !std::isfinite(*number)) return refuse("\"" + text + "\" is no number");
      return json::Value(*number);
    }
    case Kind::boolean: {
      const std::string word = to_lower(bare);
      if (word == "yes" || word == "true") return json::Value(true);
      if (word == "no" || word == "false") return json::Value(false);
      return refuse("say yes or no");
    }
    case Kind::choice:
    case Kind::choices: break;
  }
  for (const Choice& choice : field.choices)
    if (choice.label == text || (choice.value.text() != nullptr && *choice.value.text() == text)) return choice.value;
  return refuse("\"" + text + "\" is none of the choices");
}

// Empty: the person omitted an optional field.
Result<std::optional<json::Value>> McpForm::value_of(const Field& field, const std::vector<std::string>& answer) {
  if (!field.required && std::ranges::find(answer, left_out) != answer.end()) return std::optional<json::Value>();
  if (field.kind != Kind::choices) {
    if (answer.size() != 1) return fail(Errc::invalid_params, field.title + ": an answer is required");
    PARLANCE_TRY(value, one_value(field, answer.front()));
    return std::optional(std::move(value));
  }
  json::Array all;
  for (const std::string& choice : answer) {
    PARLANCE_TRY(value, one_value(field, choice));
    all.push_back(std::move(value));
  }
  return std::optional(json::Value(std::move(all)));
}

Result<wire::Raw> McpForm::content(const Answers& answers) const {
  json::Object content;
  if (fields_.size() == 1 && fields_.front().kind == Kind::consent) return wire::Raw{validator_ ? "{}" : ""};
  if (answers.size() != fields_.size()) return fail(Errc::invalid_params, "every question needs an answer");
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    PARLANCE_TRY(value, value_of(fields_[i], answers[i]));
    if (value) content.set(fields_[i].name, *std::move(value));
  }
  const json::Value whole(std::move(content));
  if (const auto faults = validator_->faults_of(whole); !faults.empty())
    return fail(Errc::invalid_params, schema::text_of(faults));
  return wire::Raw{json::to_text(whole)};
}

}  // namespace parlance::toolbox
