// SPDX-License-Identifier: Apache-2.0
// What a child says on stderr: cut into lines as it comes, and the end of it kept. Sans-I/O.
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
  // `on_line` gets each line without its end (LF or CR LF), a long one cut at limits::stderr_line_bytes as soon as it is so long.
  void feed(BytesView bytes, const std::function<void(BytesView)>& on_line);
  void finish(const std::function<void(BytesView)>& on_line);  // The last line may lack its end.
  std::string tail() const;  // The last limits::stderr_tail_bytes; begins with a whole line if there is one.

 private:
  std::string tail_;  // at most twice the limit
  std::uint64_t total_bytes_ = 0;
  std::string partial_;    // of the line that has not ended
  bool skipping_ = false;  // the rest of a line that was cut
};

// The last line of `text` that is not blank.
BytesView last_line(BytesView text);

}  // namespace parlance
