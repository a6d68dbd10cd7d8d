// SPDX-License-Identifier: Apache-2.0
// What compilers print, as an editor shows it: lines of the form "path:line:column: error: words [-Wname]". Any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/hub/editor/editor.h"

namespace parlance::app {

// Other lines are passed over. Files in the order in which they are first named; a name without a folder is one of `folder`. `text_of`: of a
// file, because compilers count bytes where editors count characters; empty where it cannot be read.
std::vector<hub::editor::FileDiagnostics> compiler_lines(std::string_view printed, const std::string& folder,
                                                         const std::function<std::string(const std::string& path)>& text_of);

// Of these what was asked for; more than `most` are told as truncated.
hub::editor::Diagnostics chosen(const std::vector<hub::editor::FileDiagnostics>& all, const std::optional<std::string>& path,
                                const std::optional<hub::editor::Severity>& severity, std::size_t most);

}  // namespace parlance::app
