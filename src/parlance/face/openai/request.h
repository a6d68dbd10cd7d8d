// SPDX-License-Identifier: Apache-2.0
// Converts an OpenAI request into a chat: decides absent, default and invalid members. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/model/model.h"
#include "parlance/protocol/openai/messages.h"

namespace parlance::openai {

// Errors: invalid_params, with the position: "$.messages[3].tool_call_id: missing". Does not resolve `model` to an agent.
Result<model::ChatRequest> to_chat(const Request& request);
// Errors: invalid_request (no JSON object, with the kind of the body), invalid_params with the position.
Result<Request> read_request(std::string_view body);
// The client runs tools itself or disables them: the answer is one step of the agent's model with its calls. Otherwise the agent
// runs its own tools.
bool brings_tools(const Request& request);

// The format of the answer from the client (`response_format`).
struct AnswerShape {
  std::string schema{};       // JSON Schema of an object
  std::string description{};  // of the answer, for the model; may be empty
};
// No value: text. Errors: invalid_params.
Result<std::optional<AnswerShape>> shape_of(const Request& request);
// The first model parameter in the request ("temperature"), or no value. Only the built-in agent accepts parameters.
std::optional<std::string_view> model_parameter_in(const model::ChatRequest& chat);

std::string_view finish_reason_of(model::StopReason stop);
// The agent's report; without a report a token for four bytes, like the deployed gateway.
Usage usage_of(const model::Usage& usage, std::size_t prompt_bytes, std::size_t answer_bytes);
std::size_t bytes_of(const std::vector<model::Message>& messages);
std::size_t bytes_of(const model::ChatRequest& request);
std::size_t bytes_of(const model::Completion& completion);

}  // namespace parlance::openai
