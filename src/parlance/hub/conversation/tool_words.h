// SPDX-License-Identifier: Apache-2.0
// What a person reads where a tool is meant. Any thread.
#pragma once

#include <string>
#include <string_view>

namespace parlance::hub {

// The identifier of a tool as the page says it: `edit_file` is "Edit file", `mcp__notes__find` is "Notes find".
std::string tool_in_words(std::string_view tool);

}  // namespace parlance::hub
