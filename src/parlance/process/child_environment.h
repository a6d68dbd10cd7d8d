// SPDX-License-Identifier: Apache-2.0
// The environment of a child process, and the folders with its program. Reads the environment of this process: never during
// changes by another thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/process/child_settings.h"

namespace parlance {

// "NAME=value" each. Error: invalid_params for an empty name, and for names with '=' or NUL.
Result<std::vector<std::string>> child_environment(const ChildSettings& settings);

// The value of `name`, or null.
const char* find_variable(const std::vector<std::string>& environment, std::string_view name);

// PATH of `environment`, or the default path of POSIX shells.
std::string_view search_path(const std::vector<std::string>& environment);

// The candidate paths of `program`, in order: a program with a slash itself, otherwise a path for each folder of the search
// path. Empty elements are skipped. POSIX reads an empty element as the working folder, where agents often write.
std::vector<std::string> program_candidates(const std::string& program, std::string_view path);

}  // namespace parlance
