// SPDX-License-Identifier: Apache-2.0
// Common parts of Chat messages from the hub's tool loop and from HTTP frontends. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "parlance/agent/backend.h"
#include "parlance/protocol/gorpc/messages.h"

namespace parlance::driver {

gorpc::ToolCall gorpc_tool_call(std::string id, std::string name, std::string arguments_json);
// Failures have the format of the deployed program, so every kind of agent recognizes them.
gorpc::ToolResult gorpc_tool_result(std::string id, std::string_view text, bool failed);
gorpc::Attachment gorpc_attachment(model::Attachment attachment);
void add_parameters(gorpc::ChatArgs& args, agent::ModelParameters parameters);
// Omits a schema other than a JSON object.
gorpc::Tool gorpc_tool(std::string name, std::string description, std::string_view parameters_json);

}  // namespace parlance::driver
