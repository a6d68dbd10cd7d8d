// SPDX-License-Identifier: Apache-2.0
// The forms of a Chat: of the wire (gorpc) and of the agent (model). Values; any thread.
#pragma once

#include <string>

#include "parlance/base/result.h"
#include "parlance/model/model.h"
#include "parlance/protocol/gorpc/messages.h"

namespace parlance::server {

// The text of a JSON string; other JSON unchanged.
std::string tool_result_text(const std::string& json_text);
model::Message to_message(gorpc::Message from);
model::ChatRequest to_request(gorpc::ChatArgs args);
Result<void> check_roles(const gorpc::ChatArgs& args);  // invalid_params: a role that the model layer does not know
gorpc::ChatReply to_reply(model::Completion completion);

}  // namespace parlance::server
