// SPDX-License-Identifier: Apache-2.0
// Private files and folders, also inside folders with other writers. Blocking: for data written once at a start. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <sys/types.h>
#include <unistd.h>

#include "parlance/base/result.h"

namespace parlance {

// Writes the whole file beside its target under an unpredictable new name (O_EXCL), with mode 0600, then syncs and renames the
// file. Readers see the whole file, and no link or file of another user is ever followed.
Result<void> write_private_file(const std::string& path, std::string_view text);

enum class FolderCare { made, fine, tightened };  // Tightened the mode: other users had access before.

// A folder with mode 0700, created if missing. Errors: denied (another user owns the folder, named in the text), failed.
Result<FolderCare> keep_private_folder(const std::string& path, uid_t own = ::geteuid());

}  // namespace parlance
