// SPDX-License-Identifier: Apache-2.0
// Lines of the bridge, for an output that text and messages share. A message always begins a line: where the last text did not end with
// one ("> "), an end of line goes first, or the other side would take the message for text. Sans-I/O; one instance a connection.
#pragma once

#include <memory>

#include "parlance/protocol/editor/limits.h"
#include "parlance/transport/framing.h"

namespace parlance::editor {

class SharedLineFraming final : public Framing {
 public:
  explicit SharedLineFraming(std::size_t most_bytes = limits::line_bytes);

  Step next(BytesView buffered, bool at_end) override { return lines_->next(buffered, at_end); }
  void begin(std::string& out) override;
  Result<void> end(std::string& out, std::size_t begun_at) override;

  // The next frame is text, which goes out as it stands and may end anywhere.
  void next_is_text() { text_ = true; }

 private:
  std::unique_ptr<Framing> lines_;
  bool text_ = false;       // the next frame is
  bool line_open_ = false;  // the last one was, and did not end its line
};

}  // namespace parlance::editor
