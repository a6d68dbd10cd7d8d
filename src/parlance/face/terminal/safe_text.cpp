// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/terminal/safe_text.h"

#include <utility>

#include "parlance/base/code_point.h"

namespace parlance::face {

std::string SafeText::feed(std::string_view text) {
  held_ += text;
  const std::string all = std::move(held_);
  held_.clear();
  std::string out;
  out.reserve(all.size());
  for (std::size_t at = 0; at < all.size();) {
    const CodePoint next = code_point_at(all, at);
    const bool last = at + 1 == all.size();
    if (next.cut || (all[at] == '\r' && last)) {
      held_ = all.substr(at);
      break;
    }
    if (all[at] != '\r' || all[at + 1] != '\n') visible_.append(out, next.value);
    at += next.bytes;
  }
  return out;
}
std::string SafeText::finish() {
  std::string out;
  for (std::size_t at = 0; at < held_.size();) {
    const CodePoint next = code_point_at(held_, at);
    visible_.append(out, next.value);
    at += next.bytes;
  }
  held_.clear();
  visible_ = VisibleText(Reading::prose);
  return out;
}

}  // namespace parlance::face
