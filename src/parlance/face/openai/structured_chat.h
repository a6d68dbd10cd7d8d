// SPDX-License-Identifier: Apache-2.0
// A chat with an answer that fits the client's JSON Schema (`response_format`). The model gets the tool StructuredOutput
// (toolbox/structured_output.h) beside the client's tools. The checked input of the tool becomes the content of the answer. After a
// wrong input the model reads the faults and tries again. Loop thread only; backend and follower outlive the task.
#pragma once

#include <string>

#include "parlance/agent/backend.h"
#include "parlance/face/openai/chat_follower.h"
#include "parlance/face/openai/request.h"

namespace parlance::face {

// Calls of the client's tools end the chat, and the client runs them. The usage is the sum of all tries. Errors: invalid_params (the
// schema), failed (the last try does not fit), and errors of the backend.
Task<Result<model::Completion>> structured_chat(agent::ChatBackend& backend, model::ChatRequest request, std::string user,
                                                openai::AnswerShape shape, ChatFollower& follower);

}  // namespace parlance::face
