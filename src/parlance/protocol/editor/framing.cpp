// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/editor/framing.h"

#include <utility>

namespace parlance::editor {

SharedLineFraming::SharedLineFraming(std::size_t most_bytes) : lines_(line_framing(most_bytes)) {}

void SharedLineFraming::begin(std::string& out) {
  if (text_) return;
  if (line_open_) out += '\n';
  lines_->begin(out);
}

Result<void> SharedLineFraming::end(std::string& out, std::size_t begun_at) {
  if (std::exchange(text_, false)) {
    if (out.size() > begun_at) line_open_ = out.back() != '\n';
    return {};
  }
  // The bytes before the message do not belong to the inner framing, which would read a message of two lines.
  const Result<void> ended = lines_->end(out, begun_at + (line_open_ ? 1 : 0));
  if (ended) line_open_ = false;
  return ended;
}

}  // namespace parlance::editor
