// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/provider/think_tags.h"

#include <algorithm>
#include <array>
#include <utility>

#include "parlance/base/partial_tag.h"

namespace parlance::model {
namespace {

struct TagPair {
  std::string_view opening;
  std::string_view closing;
};
constexpr std::array tags{TagPair{"<think>", "</think>"}, TagPair{"<thinking>", "</thinking>"}};
constexpr std::string_view blanks = " \t\r\n";

}  // namespace

Result<void> ThinkTags::emit_text(std::size_t bytes) {
  if (bytes == 0) return {};
  const std::string ready = held_.substr(0, bytes);
  held_.erase(0, bytes);
  if (std::ranges::count(ready, '`') % 2 != 0) in_code_ = !in_code_;
  return text_(ready);
}

Result<void> ThinkTags::pass_text() {
  while (lone_tag_) {
    std::size_t at = std::string::npos;
    std::size_t size = 0;
    std::size_t partial = 0;
    for (const TagPair& tag : tags) {
      partial = std::max(partial, partial_tag(held_, tag.closing));
      if (const std::size_t found = held_.find(tag.closing); found < at) {
        at = found;
        size = tag.closing.size();
      }
    }
    if (at == std::string::npos) return emit_text(held_.size() - partial);
    PARLANCE_TRY_DO(emit_text(at));
    if (held_.size() == size) return {};  // whether it ends its line is not known yet
    if (!in_code_ && (held_[size] == '\n' || held_[size] == '\r')) {
      held_.erase(0, size);
      lone_tag_ = false;
    } else {
      PARLANCE_TRY_DO(emit_text(size));
    }
  }
  return emit_text(held_.size());
}

Result<void> ThinkTags::feed(std::string_view piece) {
  if (state_ == State::text && !lone_tag_) return piece.empty() ? Result<void>{} : text_(piece);
  held_ += piece;
  if (state_ == State::text) return pass_text();
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
    if (closing_.empty() && rest.starts_with(tag.closing)) {  // an empty block
      closing_ = tag.closing;
      held_.erase(0, start + tag.closing.size());
      return true;
    }
    if (tag.opening.starts_with(rest) || tag.closing.starts_with(rest)) return false;
  }
  state_ = State::text;
  if (!closing_.empty()) {
    lone_tag_ = false;
    held_.erase(0, start);  // the blank lines between a block and the answer belong to neither
  }
  PARLANCE_TRY_DO(pass_text());
  return false;
}

Result<void> ThinkTags::finish() {
  const std::string rest = std::exchange(held_, {});
  if (rest.empty()) return {};
  if (state_ == State::text && !in_code_ && std::ranges::find(tags, rest, &TagPair::closing) != tags.end()) return {};
  if (state_ == State::inside) return reasoning_(rest);
  const bool only_blanks = rest.find_first_not_of(blanks) == std::string::npos;
  if (only_blanks && !closing_.empty()) return {};
  return text_(rest);
}

}  // namespace parlance::model
