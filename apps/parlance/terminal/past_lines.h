// SPDX-License-Identifier: Apache-2.0
// What a person typed, kept for the next time: a file of their own, one text a line, newest last. Several programs may add to it at once.
// Blocking; one thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"

namespace parlance::app {

class PastLines {
 public:
  static constexpr std::size_t most = 1000;

  explicit PastLines(std::string file) : file_(std::move(file)) {}  // "": nothing is kept

  std::vector<std::string> read() const;  // the newest `most`; none where it cannot be read
  // Errors: failed, with the file and the reason.
  Result<void> add(std::string_view text);

 private:
  std::string file_;
};

}  // namespace parlance::app
