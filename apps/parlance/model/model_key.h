// SPDX-License-Identifier: Apache-2.0
// The key of a new model connection, from a variable, from stdin, or from a terminal without echo. Every user of the machine can
// read command lines, so that no flag contains a key. A connection may also name a file in place of a key. Blocks; main thread.
#pragma once

#include <string>

#include "parlance/base/result.h"

namespace parlance::app {

struct KeySource {
  std::string variable{};   // the name of an environment variable; empty: none
  std::string file{};       // path of a private file, which the connection keeps in place of the key; empty: none
  bool from_stdin = false;  // the whole of stdin, without blanks at its ends
};

// `needed`: false allows an empty key. Errors: invalid_params, with the ways to pass a key.
Result<std::string> read_key(const KeySource& source, bool needed, const std::string& vendor);

}  // namespace parlance::app
