// SPDX-License-Identifier: Apache-2.0
// Where each setting comes from: the table's fallback, the files, the environment, the command line, in that order. Main thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "apps/parlance/config/settings.h"

namespace parlance::app {

// `flags`: what the command line gave. `file`: --config, or "" for the usual places (working folder, then the user's folder).
// Of the working folder's file counts what may count untrusted, or all once a person has trusted it as it is (trust.h).
// Errors: a file that cannot be read or has a key that is not known (with the nearest name).
Result<Settings> resolve_settings(const std::map<std::string, std::string>& flags, const std::string& file);

// Errors: invalid_params, with the first key that is no setting and the nearest that is.
Result<void> check_names(const ConfigFile& file);

// What does not count of the files, each with the cure, in sentences; empty where all does.
std::vector<std::string> untrusted_sentences(const Settings& settings);

}  // namespace parlance::app
