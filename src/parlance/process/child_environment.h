// SPDX-License-Identifier: Apache-2.0
// Which environment a child gets and where its program may lie. Reads our environment: not while another thread changes it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/process/child_settings.h"

namespace parlance {

// "NAME=value" each. invalid_params for a name that is empty or has a '=' or NUL.
Result<std::vector<std::string>> child_environment(const ChildSettings& settings);

// The value of `name`, or null.
const char* find_variable(const std::vector<std::string>& environment, std::string_view name);

// PATH of `environment`, or what POSIX shells take without one.
std::string_view search_path(const std::vector<std::string>& environment);

// The paths at which `program` may lie, in order: itself when it has a slash, or one for each folder of the search path. An empty
// element, which POSIX reads as the working folder, is passed over: that folder is often one that the agent writes into.
std::vector<std::string> program_candidates(const std::string& program, std::string_view path);

}  // namespace parlance
