// SPDX-License-Identifier: Apache-2.0
// A proposal of ours with the changes of a person, as a call. Pure; any thread.
#pragma once

#include <optional>
#include <string_view>

#include "parlance/hub/agent/tools.h"

namespace parlance::toolbox {

// The call with the person's version of its editable part; the new call writes a changed file as a whole. No value: the call has no
// editable part.
std::optional<hub::ToolCall> edited_call(hub::ToolCall call, const hub::ToolIntent& intent, std::string_view text);

}  // namespace parlance::toolbox
