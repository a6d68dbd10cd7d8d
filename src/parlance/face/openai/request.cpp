// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/openai/request.h"

#include "parlance/base/text.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/face/openai/parts.h"

namespace parlance::openai {
namespace {

std::string place(std::size_t index, std::string_view member) {
  return "$.messages[" + std::to_string(index) + "]." + std::string(member);
}

// JSON as text, the way the API has it; the bare value, the way some clients send it.
std::string text_or_json(const wire::Raw& raw, std::string_view otherwise) {
  if (raw.json.empty() || raw.json == "null") return std::string(otherwise);
  if (const auto value = json::parse(raw.json); value && value->text() != nullptr) return *value->text();
  return raw.json;
}

Result<model::Message> to_message(const Message& message, std::size_t index) {
  const auto role = model::role_from(message.role);
  if (!role) return wrong(place(index, "role"), "expected system, developer, user, assistant or tool");
  model::Message out{.role = *role};
  PARLANCE_TRY(content, read_content(message.content, place(index, "content")));
  if (!content.attachments.empty() && *role != model::Role::user)
    return wrong(place(index, "content"), "pictures and files come with messages of the role user");
  out.attachments = std::move(content.attachments);
  out.reasoning = message.reasoning_content.value_or("");
  if (message.tool_calls && !message.tool_calls->empty()) {
    if (*role != model::Role::assistant) return wrong(place(index, "tool_calls"), "only an assistant calls tools");
    for (const ToolCall& call : *message.tool_calls)
      out.tool_calls.push_back(
          {.id = call.id.value_or(""), .name = call.function.name, .arguments = text_or_json(call.function.arguments, "{}")});
  }
  if (message.tool_results)
    for (const ToolResult& result : *message.tool_results)
      out.tool_results.push_back({.call_id = result.id, .content = text_or_json(result.result, "")});
  if (*role != model::Role::tool) {
    out.content = std::move(content.text);
    return out;
  }
  if (message.tool_call_id) out.tool_results.push_back({.call_id = *message.tool_call_id, .content = std::move(content.text)});
  else if (out.tool_results.empty()) return wrong(place(index, "tool_call_id"), "missing");
  return out;
}

// `none` and one named function narrow what the model is offered; `required` is left to the model, which is offered the tools.
Result<void> apply_tool_choice(const wire::Raw& choice, std::vector<model::ToolSpec>& tools) {
  if (choice.json.empty()) return {};
  PARLANCE_TRY(value, json::parse(choice.json));
  if (value.is_null()) return {};
  if (const std::string* word = value.text()) {
    if (*word == "none") tools.clear();
    else if (*word != "auto" && *word != "required") return wrong("$.tool_choice", "expected auto, none, required or a function");
    return {};
  }
  const json::Value* function = value.find("function");
  const std::string_view name = function != nullptr ? function->text_or("name", "") : "";
  if (name.empty()) return wrong("$.tool_choice", "expected auto, none, required or a function");
  std::erase_if(tools, [name](const model::ToolSpec& tool) { return tool.name != name; });
  if (tools.empty()) return wrong("$.tool_choice.function.name", "this tool is not among the tools");
  return {};
}

// An answer in another shape than was promised breaks its reader far from here.
Result<void> check_response_format(const wire::Raw& format) {
  if (format.json.empty() || format.json == "null") return {};
  const json::Value wanted = json::parse_or_null(format.json);
  if (wanted.text_or("type", "") == "text") return {};
  return wrong("$.response_format", "agents answer in text, and nobody here sees to its shape; ask for JSON in the messages");
}

// What is wrong with a body that is no request at all.
Error no_request(std::string_view body) {
  constexpr std::string_view wanted = "expected a JSON object: {\"model\": …, \"messages\": […]}";
  if (trim(body).empty()) return {.code = Errc::invalid_request, .message = "the request has no body; " + std::string(wanted)};
  if (const auto value = json::parse(body); !value)
    return value.error().in("the request's body is no JSON (" + std::string(wanted) + ")");
  return {.code = Errc::invalid_request, .message = "the request's body is JSON, but no object; " + std::string(wanted)};
}

}  // namespace

Result<Request> read_request(std::string_view body) {
  auto request = json::from_text<Request>(body);
  if (!request && !request.error().message.starts_with("$.")) return fail(no_request(body));
  return request;
}

bool brings_tools(const Request& request) {
  return (request.tools && !request.tools->empty()) || json::parse_or_null(request.tool_choice.json) == json::Value("none");
}

Result<model::ChatRequest> to_chat(const Request& request) {
  if (request.messages.empty()) return wrong("$.messages", "at least one message is needed");
  if (request.n.value_or(1) != 1) return wrong("$.n", "only one choice is made");
  PARLANCE_TRY_DO(check_response_format(request.response_format));
  if (request.temperature && (*request.temperature < 0 || *request.temperature > 2))
    return wrong("$.temperature", "expected 0 to 2");
  model::ChatRequest chat{.max_tokens = request.max_completion_tokens ? request.max_completion_tokens : request.max_tokens,
                          .temperature = request.temperature};
  if (chat.max_tokens && *chat.max_tokens < 1)
    return wrong(request.max_completion_tokens ? "$.max_completion_tokens" : "$.max_tokens", "expected at least 1");
  if (request.reasoning_effort)
    chat.think =
        *request.reasoning_effort == "none" || *request.reasoning_effort == "minimal" ? model::Think::off : model::Think::on;
  for (std::size_t i = 0; i < request.messages.size(); ++i) {
    PARLANCE_TRY(message, to_message(request.messages[i], i));
    // Each result is a message of its own here, while a model of ours gets all results of one step together.
    if (message.role == model::Role::tool && !chat.messages.empty() && chat.messages.back().role == model::Role::tool) {
      for (model::ToolResult& result : message.tool_results) chat.messages.back().tool_results.push_back(std::move(result));
    } else {
      chat.messages.push_back(std::move(message));
    }
  }
  for (const Tool& tool : request.tools.value_or(std::vector<Tool>{})) {
    if (tool.type != "function") return wrong("$.tools", "only tools of type function are understood");
    chat.tools.push_back({.name = tool.function.name,
                          .description = tool.function.description.value_or(""),
                          .parameters = tool.function.parameters.json == "null" ? "" : tool.function.parameters.json});
  }
  PARLANCE_TRY_DO(apply_tool_choice(request.tool_choice, chat.tools));
  return chat;
}

std::string_view finish_reason_of(model::StopReason stop) {
  switch (stop) {
    case model::StopReason::end_turn:
    case model::StopReason::cancelled:
    case model::StopReason::error: return "stop";  // an error is told as one before
    case model::StopReason::max_tokens: return "length";
    case model::StopReason::refusal: return "content_filter";
    case model::StopReason::tool_calls: return "tool_calls";
  }
  return "stop";
}

Usage usage_of(const model::Usage& told, std::size_t prompt_bytes, std::size_t answer_bytes) {
  constexpr std::size_t bytes_of_a_token = 4;
  const bool untold = told.input_tokens == 0 && told.output_tokens == 0;
  Usage usage{.prompt_tokens = untold ? static_cast<std::int64_t>(prompt_bytes / bytes_of_a_token) : told.input_tokens,
              .completion_tokens = untold ? static_cast<std::int64_t>(answer_bytes / bytes_of_a_token) : told.output_tokens,
              .prompt_tokens_details = {.cached_tokens = told.cached_tokens}};
  usage.total_tokens = usage.prompt_tokens + usage.completion_tokens;
  return usage;
}

std::size_t bytes_of(const std::vector<model::Message>& messages) {
  std::size_t bytes = 0;
  for (const model::Message& message : messages) {
    bytes += message.content.size();
    for (const model::ToolCall& call : message.tool_calls) bytes += call.name.size() + call.arguments.size();
    for (const model::ToolResult& result : message.tool_results) bytes += result.content.size();
  }
  return bytes;
}

std::size_t bytes_of(const model::ChatRequest& request) {
  std::size_t bytes = bytes_of(request.messages);
  for (const model::ToolSpec& tool : request.tools) bytes += tool.name.size() + tool.description.size() + tool.parameters.size();
  return bytes;
}

std::size_t bytes_of(const model::Completion& completion) {
  std::size_t bytes = completion.content.size() + completion.reasoning.size();
  for (const model::ToolCall& call : completion.tool_calls) bytes += call.name.size() + call.arguments.size();
  return bytes;
}

}  // namespace parlance::openai
