// SPDX-License-Identifier: Apache-2.0
// Resolves each setting: the table's default, the files, the environment, the command line, in this order. Main thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "apps/parlance/config/settings.h"

namespace parlance::app {

// `flags`: from the command line. `file`: --config, or "" for the usual places (working folder, then the user's folder). An
// untrusted working folder's file sets only harmless settings; a trusted file (trust.h) sets all. Errors: an unreadable file, or
// an unknown key (with the nearest name).
Result<Settings> resolve_settings(const std::map<std::string, std::string>& flags, const std::string& file);

// Errors: invalid_params, with the first unknown key and the nearest setting.
Result<void> check_names(const ConfigFile& file);

// The ignored entries of the files with their remedies, in sentences; empty if none.
std::vector<std::string> untrusted_sentences(const Settings& settings);

}  // namespace parlance::app
