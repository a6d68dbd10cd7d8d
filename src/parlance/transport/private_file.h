// SPDX-License-Identifier: Apache-2.0
// Files and folders that nobody else may read, also when they lie in a folder that others can write to. Blocks: for what is written
// once, at a start. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <sys/types.h>
#include <unistd.h>

#include "parlance/base/result.h"

namespace parlance {

// Written whole beside it, under a name that nobody can guess and that is new (O_EXCL), with mode 0600, synced, then renamed: whoever
// sees the file sees all of it, and nobody else's link or file is ever written through.
Result<void> write_private_file(const std::string& path, std::string_view text);

enum class FolderCare { made, fine, tightened };  // tightened: others could look into it until now

// A folder that only we may enter, made with mode 0700 where there is none. Errors: denied (it belongs to somebody else, whose
// contents would then be ours to trust; the text names them), failed.
Result<FolderCare> keep_private_folder(const std::string& path, uid_t own = ::geteuid());

}  // namespace parlance
