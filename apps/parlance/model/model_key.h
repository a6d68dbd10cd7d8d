// SPDX-License-Identifier: Apache-2.0
// The key of a new model connection, from stdin, or from a terminal without echo. Every user of the machine can read command
// lines, so that no flag contains a key. A connection may also name a file or a variable in place of a key. Blocks; main thread.
#pragma once

#include <string>

#include "parlance/base/result.h"

namespace parlance::app {

// `needed`: false allows an empty key. Errors: invalid_params, with the ways to pass a key.
Result<std::string> read_key(bool from_stdin, bool needed, const std::string& vendor);

}  // namespace parlance::app
