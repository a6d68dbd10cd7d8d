// SPDX-License-Identifier: Apache-2.0
// Sends an open request to a client in a supported form: a permission, a form, iFlow's own requests, or a substitute. Loop thread
// only; the client must outlive the task. Destroying the task withdraws the request.
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
  acp::ToolCallUpdate call{};                      // known part of the call
  std::string meta{};                              // `_meta` of a permission, or empty
  std::function<void(acp::Update update)> notify;  // reports calls that represent a question
};
// Errors: the request failed, or the client is gone.
Task<Result<hub::Answer>> ask_client(AcpQuestioner questioner, hub::Ask ask);

// The client's reply contains no valid answer. An error reply of the client has its own code.
bool is_invalid_reply(const Error& error);

}  // namespace parlance::face
