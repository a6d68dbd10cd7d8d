// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/gorpc/parts.h"

#include "parlance/codec/json/value.h"
#include "parlance/codec/json/writer.h"

namespace parlance::driver {

gorpc::ToolCall gorpc_tool_call(std::string id, std::string name, std::string arguments_json) {
  return {.id = std::move(id), .type = "function", .function = {.name = std::move(name), .arguments = std::move(arguments_json)}};
}

gorpc::ToolResult gorpc_tool_result(std::string id, std::string_view text, bool failed) {
  wire::Raw raw;
  json::write_text(raw.json, text);
  if (failed) raw.json = R"({"success":false,"error":)" + raw.json + "}";
  return {.id = std::move(id), .type = "function", .result = std::move(raw)};
}

gorpc::Attachment gorpc_attachment(model::Attachment attachment) {
  return {.media_type = std::move(attachment.media_type),
          .name = std::move(attachment.name),
          .url = std::move(attachment.url),
          .data = {std::move(attachment.data)}};
}

void add_parameters(gorpc::ChatArgs& args, agent::ModelParameters parameters) {
  model::ChatParameters& others = parameters.others;
  args.max_tokens = parameters.max_tokens.value_or(0);
  args.parameters = {.temperature = parameters.temperature,
                     .top_p = others.top_p,
                     .presence_penalty = others.presence_penalty,
                     .frequency_penalty = others.frequency_penalty,
                     .seed = others.seed,
                     .parallel_calls = others.parallel_calls,
                     .stop = std::move(others.stop),
                     .effort = std::move(others.effort),
                     .must_call = others.must_call};
}

gorpc::Tool gorpc_tool(std::string name, std::string description, std::string_view parameters_json) {
  gorpc::Tool tool{.type = "function", .function = {.name = std::move(name), .description = std::move(description)}};
  if (const auto schema = json::parse(parameters_json); schema && schema->object() != nullptr)
    for (const auto& [key, value] : schema->object()->members) tool.function.parameters[key] = {json::to_text(value)};
  return tool;
}

}  // namespace parlance::driver
