// SPDX-License-Identifier: Apache-2.0
// Protects files of a state folder against unnoticed loss: a missing file is an error, and no new empty file replaces it. A mark
// beside the file, `.NAME.made`, records its creation. Blocking; any thread or process.
#pragma once

#include <string>
#include <string_view>

#include "parlance/base/result.h"

namespace parlance::store {

// Call before opening a database, because the open would create the file. Error `failed`: the file is missing or empty although
// the mark or its write-ahead log exists; the message has the remedy.
Result<void> check_part(const std::string& folder, std::string_view file);

// Records the creation. A failed write of the mark is no error: the protection is then off.
void note_part(const std::string& folder, std::string_view file);

}  // namespace parlance::store
