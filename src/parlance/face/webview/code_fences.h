// SPDX-License-Identifier: Apache-2.0
// Takes blocks of code out of Markdown as it streams: text, then `code_start`, `code_content`, `code_end`, wherever the pieces are cut. A
// fence is three or more of ` or ~ at the beginning of a line, and ends with as many; one that is open at the end is closed. One text; no
// threads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parlance/protocol/webview/stream_chunk.h"

namespace parlance::face {

class CodeFences {
 public:
  using Chunks = std::vector<webview::StreamChunk>;
  void take(std::string_view piece, Chunks& out);
  // What was held back because it could have been a fence; closes an open block.
  void end(Chunks& out);

 private:
  void line(std::string_view text, Chunks& out);
  bool may_be_fence() const;
  void tell(std::string_view text, Chunks& out) const;

  std::string held_;      // the beginning of a line that may become a fence
  bool in_line_ = false;  // the line is none, and the rest of it goes on as it comes
  std::string fence_;     // of the block that is open; empty: outside
};

}  // namespace parlance::face
