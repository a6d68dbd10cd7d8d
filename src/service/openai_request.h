// From an OpenAI-shaped request to a chat of ours: where "absent", "default" and "invalid" are decided. Pure; any thread.
#pragma once

#include <string_view>

#include "model/model.h"
#include "service/openai_messages.h"

namespace parlance::service::openai {

// Errors: invalid_params, with the place: "$.messages[3].tool_call_id: missing".
Result<model::ChatRequest> to_chat(const Request& request);
Result<Request> read_request(std::string_view body);

std::string_view finish_reason_of(model::StopReason stop);
// What the agent told; where it tells nothing, a token for four bytes, as the deployed gateway counts.
Usage usage_of(const model::Usage& told, std::size_t prompt_bytes, std::size_t answer_bytes);
std::size_t bytes_of(const model::ChatRequest& request);
std::size_t bytes_of(const model::Completion& completion);

}  // namespace parlance::service::openai
