// SPDX-License-Identifier: Apache-2.0
// A whole file as text. Blocks: for files that are read once, at a start or on request of a person. Any thread.
#pragma once

#include <string>

#include "parlance/base/result.h"

namespace parlance {

// "-": standard input. Errors: not_found, denied, and the errors of reading. A folder is an error, too; std::ifstream
// would throw at the first read.
Result<std::string> read_whole_file(const std::string& path);

}  // namespace parlance
