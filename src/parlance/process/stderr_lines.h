// SPDX-License-Identifier: Apache-2.0
// Cuts a child's stderr into lines, and keeps its end. Sans-I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "parlance/base/bytes.h"
#include "parlance/process/limits.h"

namespace parlance {

class StderrLines {
 public:
  // `on_line` receives each line without its end (LF or CR LF). A long line is cut at limits::stderr_line_bytes, as soon as this
  // length is reached.
  void feed(BytesView bytes, const std::function<void(BytesView)>& on_line);
  void finish(const std::function<void(BytesView)>& on_line);  // Reports an unfinished last line.
  std::string tail() const;  // The last limits::stderr_tail_bytes. Begins with a whole line if possible.

 private:
  std::string tail_;  // At most twice the limit.
  std::uint64_t total_bytes_ = 0;
  std::string partial_;    // The unfinished line.
  bool skipping_ = false;  // True: skips the rest of a cut line.
};

// The last line of `text` that is not blank.
BytesView last_line(BytesView text);

}  // namespace parlance
