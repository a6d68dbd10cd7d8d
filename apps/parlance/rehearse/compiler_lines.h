// SPDX-License-Identifier: Apache-2.0
// Compiler output in the form of an editor: lines of the form "path:line:column: error: words [-Wname]". Any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/hub/editor/editor.h"

namespace parlance::app {

// Skips other lines. Files in the order of their first mention; a name without a folder belongs to `folder`. `text_of`: the text
// of a file, because compilers count bytes and editors count characters; empty if unreadable.
std::vector<hub::editor::FileDiagnostics> compiler_lines(std::string_view printed, const std::string& folder,
                                                         const std::function<std::string(const std::string& path)>& text_of);

// The requested subset; above `most`, truncated.
hub::editor::Diagnostics chosen(const std::vector<hub::editor::FileDiagnostics>& all, const std::optional<std::string>& path,
                                const std::optional<hub::editor::Severity>& severity, std::size_t most);

}  // namespace parlance::app
