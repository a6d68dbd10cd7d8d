// SPDX-License-Identifier: Apache-2.0
// From an OpenAI-shaped request to a chat of ours: where "absent", "default" and "invalid" are decided. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/model/model.h"
#include "parlance/protocol/openai/messages.h"

namespace parlance::openai {

// Errors: invalid_params, with the place: "$.messages[3].tool_call_id: missing". Which agent `model` means is not decided here.
Result<model::ChatRequest> to_chat(const Request& request);
// Errors: invalid_request (no JSON object: what it is instead), invalid_params with the place.
Result<Request> read_request(std::string_view body);
// The client runs the tools of this chat, or wants none: it gets one step of the agent's model, and its calls. Otherwise the agent runs
// its own.
bool brings_tools(const Request& request);

// The shape that a client wants of the answer (`response_format`).
struct AnswerShape {
  std::string schema{};       // JSON Schema of an object
  std::string description{};  // of the answer, for the model; may be empty
};
// Nothing: text. Errors: invalid_params.
Result<std::optional<AnswerShape>> shape_of(const Request& request);
// The first parameter for the model in the request ("temperature"), or nothing. Agents other than our own take none.
std::optional<std::string_view> model_parameter_in(const model::ChatRequest& chat);

std::string_view finish_reason_of(model::StopReason stop);
// What the agent told; where it tells nothing, a token for four bytes, as the deployed gateway counts.
Usage usage_of(const model::Usage& told, std::size_t prompt_bytes, std::size_t answer_bytes);
std::size_t bytes_of(const std::vector<model::Message>& messages);
std::size_t bytes_of(const model::ChatRequest& request);
std::size_t bytes_of(const model::Completion& completion);

}  // namespace parlance::openai
