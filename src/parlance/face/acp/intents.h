// SPDX-License-Identifier: Apache-2.0
// What a call would do, as the gateway of a runner is told it: the paths as they really are on the runner's machine. Pure; any thread.
#pragma once

#include <string>

#include "parlance/hub/conversation/tool_call.h"

namespace parlance::face {

// `_meta` of a permission; empty for null.
std::string acp_intent_meta(const hub::ToolIntent* intent);

}  // namespace parlance::face
