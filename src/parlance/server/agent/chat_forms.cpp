// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/agent/chat_forms.h"

#include <string>
#include <utility>
#include <vector>

#include "parlance/codec/json/value.h"

namespace parlance::server {
namespace {

std::vector<model::Attachment> to_attachments(std::vector<gorpc::Attachment> from) {
  std::vector<model::Attachment> attachments;
  for (gorpc::Attachment& attachment : from)
    attachments.push_back({.media_type = std::move(attachment.media_type),
                           .name = std::move(attachment.name),
                           .url = std::move(attachment.url),
                           .data = std::move(attachment.data.bytes)});
  return attachments;
}

}  // namespace

std::string tool_result_text(const std::string& json_text) {
  if (json_text.empty()) return {};
  const auto value = json::parse(json_text);
  if (value && value->text() != nullptr) return *value->text();
  return json_text;
}

model::Message to_message(gorpc::Message from) {
  model::Message message;
  message.role = model::role_from(from.role).value_or(model::Role::user);
  message.content = std::move(from.content);
  message.attachments = to_attachments(std::move(from.attachments));
  for (gorpc::ToolCall& call : from.tool_calls)
    message.tool_calls.push_back(
        {.id = std::move(call.id), .name = std::move(call.function.name), .arguments = std::move(call.function.arguments)});
  for (gorpc::ToolResult& result : from.tool_results) {
    bool failed = false;
    // The result of deployed programs: {"error","tool","success":false}.
    if (const auto value = json::parse(result.result.json)) failed = !value->boolean_or("success", true);
    message.tool_results.push_back({.call_id = std::move(result.id),
                                    .content = tool_result_text(result.result.json),
                                    .failed = failed,
                                    .attachments = to_attachments(std::move(result.attachments))});
  }
  if (!message.tool_results.empty()) message.role = model::Role::tool;
  return message;
}

model::ChatRequest to_request(gorpc::ChatArgs args) {
  model::ChatRequest request;
  request.model = std::move(args.model);
  if (args.max_tokens > 0) request.max_tokens = args.max_tokens;
  gorpc::ChatParameters& parameters = args.parameters;
  request.temperature = parameters.temperature;
  request.parameters = {.top_p = parameters.top_p,
                        .presence_penalty = parameters.presence_penalty,
                        .frequency_penalty = parameters.frequency_penalty,
                        .seed = parameters.seed,
                        .parallel_calls = parameters.parallel_calls,
                        .stop = std::move(parameters.stop),
                        .effort = std::move(parameters.effort),
                        .must_call = parameters.must_call};
  request.think = args.think == "on" ? model::Think::on : args.think == "off" ? model::Think::off : model::Think::standard;
  for (gorpc::Message& from : args.messages) request.messages.push_back(to_message(std::move(from)));
  for (gorpc::Tool& from : args.tools) {
    model::ToolSpec& tool = request.tools.emplace_back();
    tool.name = std::move(from.function.name);
    tool.description = std::move(from.function.description);
    json::Object schema;
    for (auto& [key, raw] : from.function.parameters)
      if (auto value = json::parse(raw.json)) schema.set(key, *std::move(value));
    if (!schema.members.empty()) tool.parameters = json::to_text(json::Value(std::move(schema)));
  }
  return request;
}

Result<void> check_roles(const gorpc::ChatArgs& args) {
  for (std::size_t i = 0; i < args.messages.size(); ++i)
    if (!args.messages[i].role.empty() && !model::role_from(args.messages[i].role))
      return fail(Errc::invalid_params, "Messages[" + std::to_string(i) + "].Role: \"" + args.messages[i].role +
                                            "\" is none of system, user, assistant, tool");
  return {};
}

gorpc::ChatReply to_reply(model::Completion completion) {
  gorpc::ChatReply reply{.content = std::move(completion.content),
                         .reasoning = std::move(completion.reasoning),
                         .stop = std::string(to_string(completion.stop)),
                         .input_tokens = completion.usage.input_tokens,
                         .output_tokens = completion.usage.output_tokens};
  reply.problem = std::move(completion.problem);
  const auto add = [](std::vector<gorpc::ToolCall>& to, std::vector<model::ToolCall>& calls) {
    for (model::ToolCall& call : calls)
      to.push_back({.id = std::move(call.id),
                    .type = "function",
                    .function = {.name = std::move(call.name), .arguments = std::move(call.arguments)}});
  };
  add(reply.tools, completion.tool_calls);
  add(reply.cut, completion.cut_calls);
  return reply;
}

}  // namespace parlance::server
