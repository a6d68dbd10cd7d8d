// SPDX-License-Identifier: Apache-2.0
// The intent of a call for the gateway of a runner, with resolved paths of the runner's machine. Pure; any thread.
#pragma once

#include <string>

#include "parlance/hub/conversation/tool_call.h"

namespace parlance::face {

// `_meta` of a permission; empty for null.
std::string acp_intent_meta(const hub::ToolIntent* intent);

}  // namespace parlance::face
