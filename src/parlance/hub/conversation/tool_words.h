// SPDX-License-Identifier: Apache-2.0
// Readable names of tools. Any thread.
#pragma once

#include <string>
#include <string_view>

namespace parlance::hub {

// The display name of a tool's identifier: `edit_file` is "Edit file", `mcp__notes__find` is "Notes find".
std::string tool_in_words(std::string_view tool);

}  // namespace parlance::hub
