// SPDX-License-Identifier: Apache-2.0
// A client is asked what waits for a person, in the words that it knows: a permission, a form, iFlow's own requests, or one in the place
// of the other. Loop thread only; the client outlives the task, and destroying the task withdraws the question.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "parlance/face/acp/client.h"
#include "parlance/face/acp/updates.h"
#include "parlance/hub/hub.h"

namespace parlance::face {

struct AcpQuestioner {
  AcpClient& client;
  std::string session{};
  acp::ToolCallUpdate call{};                    // as far as it is known
  std::string meta{};                            // of a permission: its `_meta`, or empty
  std::function<void(acp::Update update)> tell;  // calls that stand for a question
};
// Errors: the client could not be asked, or is gone.
Task<Result<hub::GivenAnswer>> ask_client(AcpQuestioner questioner, hub::Ask ask);

// The client has replied, but no answer can be read from it. An error that the client sent has a code of its own.
bool is_invalid_reply(const Error& error);

}  // namespace parlance::face
