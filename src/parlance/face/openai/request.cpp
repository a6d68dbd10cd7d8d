// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/openai/request.h"

#include <algorithm>
#include <array>
#include <utility>

#include "parlance/base/text.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/face/openai/parts.h"

namespace parlance::openai {
namespace {

std::string place(std::size_t index, std::string_view member) {
  return "$.messages[" + std::to_string(index) + "]." + std::string(member);
}

// JSON inside a string, the API's format; or the bare value, as some clients send.
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

// A named function becomes the only tool of the model.
Result<void> apply_tool_choice(const wire::Raw& choice, model::ChatRequest& chat) {
  std::vector<model::ToolSpec>& tools = chat.tools;
  if (choice.json.empty()) return {};
  PARLANCE_TRY(value, json::parse(choice.json));
  if (value.is_null()) return {};
  if (const std::string* word = value.text()) {
    if (*word == "none") tools.clear();
    else if (*word == "required") chat.parameters.must_call = !tools.empty();
    else if (*word != "auto") return wrong("$.tool_choice", "expected auto, none, required or a function");
    return {};
  }
  const json::Value* function = value.find("function");
  const std::string_view name = function != nullptr ? function->text_or("name", "") : "";
  if (name.empty()) return wrong("$.tool_choice", "expected auto, none, required or a function");
  std::erase_if(tools, [name](const model::ToolSpec& tool) { return tool.name != name; });
  if (tools.empty()) return wrong("$.tool_choice.function.name", "this tool is not among the tools");
  chat.parameters.must_call = true;
  return {};
}

// An unsupported parameter. Clients send some with a value without effect.
struct Refused {
  std::string_view name;
  wire::Raw Request::* value;
  std::string_view asks_nothing;  // the value without effect, besides null
  std::string_view instead;
};
constexpr std::array refused{
    Refused{"audio", &Request::audio, "null", "only text is answered"},
    Refused{"function_call", &Request::function_call, "null", "send tool_choice"},
    Refused{"functions", &Request::functions, "[]", "send tools"},
    Refused{"logit_bias", &Request::logit_bias, "{}", "not supported"},
    Refused{"logprobs", &Request::logprobs, "false", "not reported"},
    Refused{"modalities", &Request::modalities, R"(["text"])", "only text is answered"},
    Refused{"prediction", &Request::prediction, "null", "not supported"},
    Refused{"top_logprobs", &Request::top_logprobs, "0", "not reported"},
    Refused{"verbosity", &Request::verbosity, "null", "not supported; describe the length in the messages"},
    Refused{"web_search_options", &Request::web_search_options, "null", "not supported"},
};

Result<void> check_refused(const Request& request) {
  for (const Refused& parameter : refused) {
    const std::string& value = (request.*parameter.value).json;
    if (value.empty() || value == "null" || value == parameter.asks_nothing) continue;
    return wrong("$." + std::string(parameter.name), std::string(parameter.instead) + "; leave it out");
  }
  return {};
}

Result<void> check_range(std::string_view name, std::optional<double> value, double least, double most, std::string_view words) {
  if (value && (*value < least || *value > most)) return wrong("$." + std::string(name), "expected " + std::string(words));
  return {};
}

Result<std::vector<std::string>> stops_of(const wire::Raw& raw) {
  constexpr std::size_t most = 4;  // limit of OpenAI's API
  const json::Value value = json::parse_or_null(raw.json);
  if (value.is_null()) return std::vector<std::string>{};
  if (const std::string* const text = value.text(); text != nullptr && !text->empty()) return std::vector<std::string>{*text};
  std::vector<std::string> stops;
  const json::Array* const list = value.array();
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i)
    if (const std::string* const text = (*list)[i].text(); text != nullptr && !text->empty()) stops.push_back(*text);
  if (list == nullptr || stops.size() != list->size() || stops.size() > most)
    return wrong("$.stop", "expected a text, or up to 4 texts");
  return stops;
}

Result<void> read_parameters(const Request& request, model::ChatRequest& chat) {
  PARLANCE_TRY_DO(check_refused(request));
  PARLANCE_TRY_DO(check_range("temperature", request.temperature, 0, 2, "0 to 2"));
  PARLANCE_TRY_DO(check_range("top_p", request.top_p, 0, 1, "0 to 1"));
  PARLANCE_TRY_DO(check_range("presence_penalty", request.presence_penalty, -2, 2, "-2 to 2"));
  PARLANCE_TRY_DO(check_range("frequency_penalty", request.frequency_penalty, -2, 2, "-2 to 2"));
  PARLANCE_TRY(stops, stops_of(request.stop));
  chat.max_tokens = request.max_completion_tokens ? request.max_completion_tokens : request.max_tokens;
  if (chat.max_tokens && *chat.max_tokens < 1)
    return wrong(request.max_completion_tokens ? "$.max_completion_tokens" : "$.max_tokens", "expected at least 1");
  chat.temperature = request.temperature;
  chat.parameters = {.top_p = request.top_p,
                     .seed = request.seed,
                     .parallel_calls = request.parallel_tool_calls,
                     .stop = std::move(stops),
                     .effort = request.reasoning_effort.value_or("")};
  // Libraries send penalties of 0, every API's default, to APIs without penalties.
  if (request.presence_penalty.value_or(0) != 0) chat.parameters.presence_penalty = request.presence_penalty;
  if (request.frequency_penalty.value_or(0) != 0) chat.parameters.frequency_penalty = request.frequency_penalty;
  if (const std::string& effort = chat.parameters.effort; !effort.empty())
    chat.think = effort == "none" || effort == "minimal" ? model::Think::off : model::Think::on;
  return {};
}

// The error of a body that is no request.
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
  model::ChatRequest chat;
  PARLANCE_TRY_DO(read_parameters(request, chat));
  for (std::size_t i = 0; i < request.messages.size(); ++i) {
    PARLANCE_TRY(message, to_message(request.messages[i], i));
    // Each result is a separate message here, but parlance's models get all results of a step together.
    if (message.role == model::Role::tool && !chat.messages.empty() && chat.messages.back().role == model::Role::tool) {
      for (model::ToolResult& result : message.tool_results) chat.messages.back().tool_results.push_back(std::move(result));
    } else {
      chat.messages.push_back(std::move(message));
    }
  }
  if (std::ranges::all_of(chat.messages, [](const model::Message& message) { return message.role == model::Role::system; }))
    return wrong("$.messages", "only system messages: add a message of the role user");
  for (const Tool& tool : request.tools.value_or(std::vector<Tool>{})) {
    if (tool.type != "function") return wrong("$.tools", "only tools of type function are understood");
    if (tool.function.name.empty())
      return wrong("$.tools[" + std::to_string(chat.tools.size()) + "].function.name", "expected the name of the function");
    chat.tools.push_back({.name = tool.function.name,
                          .description = tool.function.description.value_or(""),
                          .parameters = tool.function.parameters.json == "null" ? "" : tool.function.parameters.json});
  }
  PARLANCE_TRY_DO(apply_tool_choice(request.tool_choice, chat));
  return chat;
}

Result<std::optional<AnswerShape>> shape_of(const Request& request) {
  constexpr std::string_view place = "$.response_format";
  const json::Value format = json::parse_or_null(request.response_format.json);
  const std::string_view type = format.text_or("type", "");
  if (format.is_null() || type == "text") return std::optional<AnswerShape>{};
  AnswerShape shape{.schema = R"({"type":"object"})"};
  if (type == "json_object") return shape;
  const json::Value* const named = type == "json_schema" ? format.find("json_schema") : nullptr;
  if (named == nullptr || named->object() == nullptr)
    return wrong(place, "expected type text, json_object, or json_schema with a member json_schema");
  shape.description = named->text_or("description", "");
  if (const json::Value* const schema = named->find("schema")) shape.schema = json::to_text(*schema);
  return shape;
}

std::optional<std::string_view> model_parameter_in(const model::ChatRequest& chat) {
  const model::ChatParameters& parameters = chat.parameters;
  if (chat.max_tokens) return "max_tokens";
  if (chat.temperature && *chat.temperature != 1) return "temperature";
  if (parameters.top_p && *parameters.top_p != 1) return "top_p";
  if (parameters.presence_penalty) return "presence_penalty";
  if (parameters.frequency_penalty) return "frequency_penalty";
  if (parameters.seed) return "seed";
  if (!parameters.stop.empty()) return "stop";
  return std::nullopt;
}

std::string_view finish_reason_of(model::StopReason stop) {
  switch (stop) {
    case model::StopReason::end_turn:
    case model::StopReason::cancelled:
    case model::StopReason::error: return "stop";  // the error itself was reported before
    case model::StopReason::max_tokens: return "length";
    case model::StopReason::refusal: return "content_filter";
    case model::StopReason::tool_calls: return "tool_calls";
  }
  return "stop";
}

Usage usage_of(const model::Usage& reported, std::size_t prompt_bytes, std::size_t answer_bytes) {
  constexpr std::size_t bytes_of_a_token = 4;
  const bool unreported = reported.input_tokens == 0 && reported.output_tokens == 0;
  Usage usage{
      .prompt_tokens = unreported ? static_cast<std::int64_t>(prompt_bytes / bytes_of_a_token) : reported.input_tokens,
      .completion_tokens = unreported ? static_cast<std::int64_t>(answer_bytes / bytes_of_a_token) : reported.output_tokens,
      .prompt_tokens_details = {.cached_tokens = reported.cached_tokens}};
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
