// SPDX-License-Identifier: Apache-2.0
// Parts of Chat messages that both of the gateway's ways to an agent write alike: the hub's tool loop and the HTTP faces. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "parlance/agent/backend.h"
#include "parlance/protocol/gorpc/messages.h"

namespace parlance::driver {

gorpc::ToolCall gorpc_tool_call(std::string id, std::string name, std::string arguments_json);
// Failures travel in the shape of the deployed program, so that an agent of either kind sees that they are failures.
gorpc::ToolResult gorpc_tool_result(std::string id, std::string_view text, bool failed);
gorpc::Attachment gorpc_attachment(model::Attachment attachment);
void add_parameters(gorpc::ChatArgs& args, agent::ModelParameters parameters);
// A schema that is no JSON object is left out.
gorpc::Tool gorpc_tool(std::string name, std::string description, std::string_view parameters_json);

}  // namespace parlance::driver
