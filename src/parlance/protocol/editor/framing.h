// SPDX-License-Identifier: Apache-2.0
// Lines of the bridge, for an output shared by text and messages. A message always begins a line: after unfinished text ("> "),
// a line end goes first, or the other side would read the message as text. Sans-I/O; one instance for each connection.
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

  // The next frame is text, which is sent unchanged and may end anywhere.
  void next_is_text() { text_ = true; }

 private:
  std::unique_ptr<Framing> lines_;
  bool text_ = false;       // True for the next frame only.
  bool line_open_ = false;  // The last frame was text with an unfinished line.
};

}  // namespace parlance::editor
