// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/structured_output.h"

#include <algorithm>
#include <utility>

#include "parlance/toolbox/tool_values.h"

namespace parlance::toolbox {
namespace {

constexpr std::string_view description =
    "Takes the final answer as its input, in the requested form. Call this tool once, after all other work.";
constexpr std::string_view taken = "The answer was taken.";

// The input schema of a tool must have the type `object`: providers refuse other schemas.
Result<std::string> parameters_of(json::Value schema, const std::string& where) {
  const json::Value object("object");
  if (const json::Value* type = schema.find("type"); type != nullptr && !(*type == object)) {
    const json::Array* types = type->array();
    if (types == nullptr || std::ranges::find(*types, object) == types->end())
      return fail(
          Errc::invalid_params,
          where +
              ": #/type: the answer is the input of a tool, and must be an object; make the wanted value a member of an object");
  }
  schema.object()->set("type", object);
  return json::to_text(schema);
}

}  // namespace

Result<void> StructuredOutput::set_schema(std::string_view schema_json, std::string_view where) {
  const std::string what(where);
  auto schema = json::parse(schema_json);
  if (!schema) return std::unexpected(std::move(schema).error().in(what + ": the schema is no JSON"));
  if (schema->object() == nullptr) return fail(Errc::invalid_params, what + ": the schema is no JSON object");
  auto validator = schema::Validator::compile(*schema);
  if (!validator) return std::unexpected(std::move(validator).error().in(what));
  PARLANCE_TRY(parameters, parameters_of(*std::move(schema), what));
  parameters_json_ = std::move(parameters);
  validator_ = *std::move(validator);
  return {};
}

void StructuredOutput::begin() {
  tries_ = 0;
  last_wrong_.clear();
  answer_.reset();
}

std::string StructuredOutput::ask_on() {
  ++tries_;
  return "The answer is still missing: call " + std::string(structured_output_tool) + " now, with the answer as its input.";
}

std::string StructuredOutput::failure() const {
  return "No answer matched the schema in " + std::to_string(most_tries_) + " tries" +
         (last_wrong_.empty() ? "" : "; the last one: " + last_wrong_);
}

std::vector<hub::ToolSpec> StructuredOutput::list() const {
  std::vector<hub::ToolSpec> all = others_.list();
  if (validator_)
    all.push_back({.name = std::string(structured_output_tool),
                   .description = std::string(description),
                   .parameters_json = parameters_json_,
                   .kind = hub::ToolKind::other});
  return all;
}

Task<Result<hub::ToolIntent>> StructuredOutput::intent(const hub::SessionSetup& setup, const hub::ToolCall& call) {
  if (!is_ours(call)) co_return co_await others_.intent(setup, call);
  co_return hub::ToolIntent{.kind = hub::ToolKind::other, .title = "The structured answer"};
}

Task<hub::ToolOutcome> StructuredOutput::call(const hub::SessionSetup& setup, const hub::ToolCall& call, hub::ToolHost host) {
  if (!is_ours(call)) co_return co_await others_.call(setup, call, std::move(host));
  co_return take(call);
}

// A later valid answer replaces an earlier answer, as in Claude Code. An invalid answer changes nothing.
hub::ToolOutcome StructuredOutput::take(const hub::ToolCall& call) {
  const Result<json::Value>& value = value_of(call);
  std::string wrong = value ? schema::text_of(validator_->faults_of(*value)) : value.error().message;
  if (wrong.empty() && value->object() == nullptr) wrong = "(the whole value): expected object";
  if (wrong.empty()) {
    answer_ = *value;
    return {.text = std::string(taken)};
  }
  ++tries_;
  last_wrong_ = "The answer does not fit the schema: " + wrong;
  return {.state = hub::ToolEndState::failed, .text = last_wrong_};
}

hub::PromptOptions with_instruction(hub::PromptOptions options, const StructuredOutput* output) {
  if (output == nullptr || !output->wanted()) return options;
  options.add_to_system("Give your final answer by calling the tool " + std::string(structured_output_tool) +
                        " once, at the end, when all other work is done: its input is the answer.");
  return options;
}

std::optional<std::string> ask_on(StructuredOutput* output) {
  if (output == nullptr || !output->lacks_answer() || output->failed()) return std::nullopt;
  return output->ask_on();
}

std::string answer_of(const StructuredOutput* output) {
  return output != nullptr && output->answer() ? json::to_text(*output->answer()) : "";
}

}  // namespace parlance::toolbox
