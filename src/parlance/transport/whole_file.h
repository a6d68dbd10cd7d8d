// SPDX-License-Identifier: Apache-2.0
// A whole file as text. Blocks: for what is read once, at a start or at a person's word. Any thread.
#pragma once

#include <string>

#include "parlance/base/result.h"

namespace parlance {

// "-": standard input. Errors: not_found, denied, and whatever reading says: a folder is one, and not a crash as with std::ifstream,
// whose buffer throws.
Result<std::string> read_whole_file(const std::string& path);

}  // namespace parlance
