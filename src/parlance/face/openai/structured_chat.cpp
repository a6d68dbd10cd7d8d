// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/openai/structured_chat.h"

#include <algorithm>
#include <utility>

#include "parlance/base/text.h"
#include "parlance/toolbox/structured_output.h"

namespace parlance::face {
namespace {

using toolbox::structured_output_tool;
using toolbox::StructuredOutput;

class NoOtherTools final : public hub::Tools {
 public:
  std::vector<hub::ToolSpec> list() const override { return {}; }
  Task<Result<hub::ToolIntent>> intent(const hub::SessionSetup&, const hub::ToolCall& call) override {
    co_return fail(Errc::not_found, "no tool " + call.tool);
  }
  Task<hub::ToolOutcome> call(const hub::SessionSetup&, const hub::ToolCall& call, hub::ToolHost) override {
    co_return hub::ToolOutcome{.state = hub::ToolEndState::failed, .text = "no tool " + call.tool};
  }
};

// Passes thoughts and notes on. Text becomes part of the answer only after its check.
class Thoughts final : public model::ChunkSink {
 public:
  explicit Thoughts(ChatFollower& follower) : follower_(follower) {}
  Result<void> on_chunk(model::Chunk chunk) override {
    if (std::holds_alternative<model::ReasoningDelta>(chunk) || std::holds_alternative<model::Retrying>(chunk))
      return follower_.on_chunk(std::move(chunk));
    return {};
  }

 private:
  ChatFollower& follower_;
};

hub::ToolCall hub_call(const model::ToolCall& call) {
  return {.id = call.id, .tool = call.name, .arguments_json = call.arguments};
}

// The JSON of a pure JSON text, with or without a Markdown fence; empty for other texts.
std::string_view json_in(std::string_view text) {
  text = trim(text);
  if (text.starts_with("```") && text.ends_with("```") && text.find('\n') != std::string_view::npos) {
    text.remove_prefix(text.find('\n') + 1);
    text.remove_suffix(std::min<std::size_t>(3, text.size()));
    text = trim(text);
  }
  return text.starts_with('{') ? text : std::string_view();
}

void prepare(model::ChatRequest& request, const StructuredOutput& output, const std::string& description) {
  const hub::ToolSpec spec = output.list().front();
  if (request.tools.empty()) request.parameters.must_call = true;
  request.tools.push_back({.name = spec.name, .description = spec.description, .parameters = spec.parameters_json});
  std::string instruction = toolbox::with_instruction({}, &output).append_system.value_or("");
  if (!description.empty()) instruction += " The answer: " + description;
  request.messages.insert(request.messages.begin(), {.role = model::Role::system, .content = std::move(instruction)});
}

// Adds the invalid answer and its problem to `messages`.
void add_try(std::vector<model::Message>& messages, const model::Completion& completion, const model::ToolCall* call,
             std::string problem) {
  messages.push_back(to_message(completion));
  if (call == nullptr) {
    messages.push_back({.role = model::Role::user, .content = std::move(problem)});
    return;
  }
  model::Message results{.role = model::Role::tool};
  for (const model::ToolCall& tool_call : completion.tool_calls)
    results.tool_results.push_back(
        {.call_id = tool_call.id, .content = tool_call.id == call->id ? problem : "Not run.", .failed = true});
  messages.push_back(std::move(results));
}

}  // namespace

Task<Result<model::Completion>> structured_chat(agent::ChatBackend& backend, model::ChatRequest request, std::string user,
                                                openai::AnswerShape shape, ChatFollower& follower) {
  NoOtherTools none;
  StructuredOutput output(none);
  PARLANCE_CO_TRY_DO(output.set_schema(shape.schema, "$.response_format.json_schema.schema"));
  output.begin();
  prepare(request, output, shape.description);
  Thoughts thoughts(follower);
  model::Usage usage;
  for (;;) {
    PARLANCE_CO_TRY(completion, co_await backend.chat(request, user, thoughts));
    usage.input_tokens += completion.usage.input_tokens;
    usage.output_tokens += completion.usage.output_tokens;
    usage.cached_tokens += completion.usage.cached_tokens;
    completion.usage = usage;
    const auto found = std::ranges::find(completion.tool_calls, structured_output_tool, &model::ToolCall::name);
    const model::ToolCall* const call = found == completion.tool_calls.end() ? nullptr : &*found;
    const bool ended = completion.stop == model::StopReason::end_turn || completion.stop == model::StopReason::tool_calls;
    if (call == nullptr && (!ended || !completion.tool_calls.empty()))
      co_return completion;  // cut, refused, or the client's calls
    std::string problem;
    if (call != nullptr) problem = output.take(hub_call(*call)).text;
    else if (const std::string_view json = json_in(completion.content); !json.empty())
      problem = output.take({.tool = std::string(structured_output_tool), .arguments_json = std::string(json)}).text;
    else problem = output.ask_on();
    if (!output.lacks_answer()) {
      completion.content = toolbox::answer_of(&output);
      completion.tool_calls.clear();
      completion.stop = model::StopReason::end_turn;
      co_return completion;
    }
    if (output.failed()) co_return fail(Errc::failed, output.failure());
    add_try(request.messages, completion, call, std::move(problem));
  }
}

}  // namespace parlance::face
