// SPDX-License-Identifier: Apache-2.0
// What a person made of a proposal of ours, as a call. Pure; any thread.
#pragma once

#include <optional>
#include <string_view>

#include "parlance/hub/agent/tools.h"

namespace parlance::toolbox {

// Nothing: the call has no editable part. The whole text of a file is what a person sees and changes, so it is written as a whole.
std::optional<hub::ToolCall> edited_call(hub::ToolCall call, const hub::ToolIntent& intent, std::string_view text);

}  // namespace parlance::toolbox
