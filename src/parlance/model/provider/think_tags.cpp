// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/provider/think_tags.h"

#include <array>
#include <utility>

namespace parlance::model {
namespace {

struct TagPair {
  std::string_view opening;
  std::string_view closing;
};
constexpr std::array tags{TagPair{"<think>", "</think>"}, TagPair{"<thinking>", "</thinking>"}};
constexpr std::string_view blanks = " \t\r\n";

// Length of the longest end of `text` with which `tag` could begin.
std::size_t partial_tag(std::string_view text, std::string_view tag) {
  for (std::size_t length = std::min(text.size(), tag.size() - 1); length > 0; --length)
    if (text.ends_with(tag.substr(0, length))) return length;
  return 0;
}

}  // namespace

Result<void> ThinkTags::feed(std::string_view piece) {
  if (state_ == State::text) return piece.empty() ? Result<void>{} : text_(piece);
  held_ += piece;
  for (;;) {
    PARLANCE_TRY(again, step());
    if (!again) return {};
  }
}

Result<bool> ThinkTags::step() {
  if (state_ == State::inside) {
    const std::size_t at = held_.find(closing_);
    const std::size_t ready = at != std::string::npos ? at : held_.size() - partial_tag(held_, closing_);
    if (ready > 0) PARLANCE_TRY_DO(reasoning_(std::string_view(held_).substr(0, ready)));
    held_.erase(0, at != std::string::npos ? at + closing_.size() : ready);
    if (at == std::string::npos) return false;
    state_ = State::before;
    return true;
  }
  const std::size_t start = held_.find_first_not_of(blanks);
  if (start == std::string::npos) return false;
  const std::string_view rest = std::string_view(held_).substr(start);
  for (const TagPair& tag : tags) {
    if (rest.starts_with(tag.opening)) {
      state_ = State::inside;
      closing_ = tag.closing;
      held_.erase(0, start + tag.opening.size());
      return true;
    }
    if (tag.opening.starts_with(rest)) return false;
  }
  const bool after_block = !closing_.empty();
  state_ = State::text;
  const std::string ready = std::exchange(held_, {});
  // The blank lines between a block and the answer belong to neither.
  PARLANCE_TRY_DO(text_(after_block ? std::string_view(ready).substr(start) : std::string_view(ready)));
  return false;
}

Result<void> ThinkTags::finish() {
  const std::string rest = std::exchange(held_, {});
  if (rest.empty()) return {};
  if (state_ == State::inside) return reasoning_(rest);
  const bool only_blanks = rest.find_first_not_of(blanks) == std::string::npos;
  if (only_blanks && !closing_.empty()) return {};
  return text_(rest);
}

}  // namespace parlance::model
