// SPDX-License-Identifier: Apache-2.0
// Folders for the data of one user. Blocks. Any thread.
#pragma once

#include <string>

#include "parlance/base/result.h"

namespace parlance {

// Makes `path` with its missing parents, each with mode 0700 for any umask: in an open parent, another user could replace the
// folder. Existing folders keep their mode. Errors: those of system_error, with the folder that could not be made.
Result<void> make_private_folders(const std::string& path);

}  // namespace parlance
