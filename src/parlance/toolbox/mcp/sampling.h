// SPDX-License-Identifier: Apache-2.0
// An MCP server's request to a model (sampling/createMessage): validated, shown to the person who allows it, and answered.
// Values; any thread.
#pragma once

#include <string>

#include "parlance/base/result.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/protocol/mcp/methods.h"

namespace parlance::toolbox {

// Errors: invalid_params (only text is supported, and no tools), overloaded (too long).
Result<hub::SampleRequest> sample_request_of(const mcp::CreateMessageParams& asked);

// Shows exactly the text that the model receives. "Always" becomes a rule for this server. The host of the call judges the request.
hub::AskRequest sampling_ask(const std::string& server, const std::string& tool, const hub::SampleRequest& request);

mcp::CreateMessageResult sampled(hub::SampleReply reply);

}  // namespace parlance::toolbox
