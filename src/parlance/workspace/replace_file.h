// SPDX-License-Identifier: Apache-2.0
// A file takes the place of another, or of none. Blocking; any thread.
#pragma once

#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/workspace/path_guard.h"

namespace parlance::workspace {

// Writes a temporary file beside the target, syncs, and renames: readers see the old or the new file, never a part. Keeps the
// mode. Errors name `shown`: denied "Access denied: P" for anything but a file, failed if a file appeared meanwhile, and the
// system's errors.
Result<void> replace_file(const PathGuard::Parent& place, std::string_view text, const std::string& shown);

}  // namespace parlance::workspace
