// SPDX-License-Identifier: Apache-2.0
// Extracts code blocks from streamed Markdown: text, then `code_start`, `code_content`, `code_end`, for pieces of any size. A
// fence is three or more of ` or ~ at the beginning of a line, and ends with as many; the end of the text closes an open block.
// One text; no threads.
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
  // Sends the held line; closes an open block.
  void end(Chunks& out);

 private:
  void line(std::string_view text, Chunks& out);
  bool may_be_fence() const;
  void add(std::string_view text, Chunks& out) const;

  std::string held_;      // the beginning of a line that may become a fence
  bool in_line_ = false;  // the line is no fence, and its rest passes through
  std::string fence_;     // the fence of the open block; empty: outside
};

}  // namespace parlance::face
