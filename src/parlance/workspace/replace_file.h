// SPDX-License-Identifier: Apache-2.0
// A file takes the place of another, or of none. Blocking; any thread.
#pragma once

#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/workspace/path_guard.h"

namespace parlance::workspace {

// Through a temporary file beside it, synced, that is renamed: a reader sees the old or the new file, never a part. The mode is kept.
// Errors name `shown`: denied "Access denied: P" where something else than a file lies there, failed when a file has appeared where there
// was none, and what the system says.
Result<void> replace_file(const PathGuard::Parent& place, std::string_view text, const std::string& shown);

}  // namespace parlance::workspace
