// SPDX-License-Identifier: Apache-2.0
// The files of a state folder that must not vanish unnoticed: one that has been there and is gone is told, never begun anew as if there
// had been nothing. A mark beside it, `.NAME.made`, says that it has been there. Blocking; any thread or process.
#pragma once

#include <string>
#include <string_view>

#include "parlance/base/result.h"

namespace parlance::store {

// Before a database is opened, which would make it. failed: it is gone, or empty, although it was made once, or although its write-ahead
// log is there; the message says what to do.
Result<void> check_part(const std::string& folder, std::string_view file);

// It has been made. A mark that cannot be written is no failure: the folder is as before.
void note_part(const std::string& folder, std::string_view file);

}  // namespace parlance::store
