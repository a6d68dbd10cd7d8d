// SPDX-License-Identifier: Apache-2.0
// What an MCP server wants to say to a model (sampling/createMessage): checked, shown to the person who allows it, and answered. Values; any
// thread.
#pragma once

#include <string>

#include "parlance/base/result.h"
#include "parlance/hub/agent.h"
#include "parlance/protocol/mcp/methods.h"

namespace parlance::toolbox {

// Errors: invalid_params (nothing but text is taken, and no tools), overloaded (too much of it).
Result<hub::SampleRequest> sample_request_of(const mcp::CreateMessageParams& asked);

// Shows exactly what will be said. "Always" becomes a rule for this server.
hub::AskRequest sampling_ask(const std::string& server, const std::string& tool, const hub::SampleRequest& request);
// What rules call it: no tool of a model can have this name.
std::string sampling_tool(const std::string& server);

mcp::CreateMessageResult sampled(hub::SampleReply reply);

}  // namespace parlance::toolbox
