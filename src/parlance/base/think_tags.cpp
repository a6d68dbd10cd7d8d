// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/think_tags.h"

#include <algorithm>
#include <array>
#include <utility>

namespace parlance {
namespace {

struct TagPair {
  std::string_view opening;
  std::string_view closing;
};
constexpr std::array tags{TagPair{"<think>", "</think>"}, TagPair{"<thinking>", "</thinking>"}};
constexpr std::string_view blanks = " \t\r\n";

// Length of the longest end of `text` that is a proper beginning of `tag`. 0: none.
std::size_t partial_tag(std::string_view text, std::string_view tag) {
  for (std::size_t length = std::min(text.size(), tag.size() - 1); length > 0; --length)
    if (text.ends_with(tag.substr(0, length))) return length;
  return 0;
}

}  // namespace

void ThinkTags::emit(std::size_t bytes, std::vector<ThinkPiece>& out) {
  if (bytes == 0) return;
  out.push_back({.kind = inside() ? ThinkPiece::Kind::thought : ThinkPiece::Kind::text, .text = held_.substr(0, bytes)});
  held_.erase(0, bytes);
  if (!inside() && std::ranges::count(out.back().text, '`') % 2 != 0) in_code_ = !in_code_;
}

bool ThinkTags::pass_up_to(std::string_view tag, std::vector<ThinkPiece>& out) {
  const std::size_t at = held_.find(tag);
  emit(at != std::string::npos ? at : held_.size() - partial_tag(held_, tag), out);
  if (at == std::string::npos) return false;
  held_.erase(0, tag.size());
  return true;
}

void ThinkTags::begin(std::string_view closing, std::vector<ThinkPiece>& out) {
  state_ = State::inside;
  closing_ = closing;
  out.push_back({.kind = ThinkPiece::Kind::begin});
}

void ThinkTags::pass_text(std::vector<ThinkPiece>& out) {
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
    if (at == std::string::npos) return emit(held_.size() - partial, out);
    emit(at, out);
    if (held_.size() == size) return;  // whether it ends its line is not known yet
    if (!in_code_ && (held_[size] == '\n' || held_[size] == '\r')) {
      held_.erase(0, size);
      lone_tag_ = false;
    } else {
      emit(size, out);
    }
  }
  emit(held_.size(), out);
}

void ThinkTags::feed(std::string_view text, std::vector<ThinkPiece>& out) {
  held_ += text;
  while (step(out)) {}
}

bool ThinkTags::step(std::vector<ThinkPiece>& out) {
  if (state_ == State::before) return step_before(out);
  if (state_ == State::inside) {
    if (!pass_up_to(closing_, out)) return false;
    state_ = blocks_ == Blocks::anywhere ? State::text : State::before;
    out.push_back({.kind = ThinkPiece::Kind::end});
    return true;
  }
  if (blocks_ == Blocks::leading) return pass_text(out), false;
  const TagPair& tag = tags.front();
  if (!pass_up_to(tag.opening, out)) return false;
  begin(tag.closing, out);
  return true;
}

bool ThinkTags::step_before(std::vector<ThinkPiece>& out) {
  const std::size_t start = held_.find_first_not_of(blanks);
  if (start == std::string::npos) return false;
  const std::string_view rest = std::string_view(held_).substr(start);
  for (const TagPair& tag : tags) {
    if (rest.starts_with(tag.opening)) {
      held_.erase(0, start + tag.opening.size());
      begin(tag.closing, out);
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
  return true;
}

void ThinkTags::finish(std::vector<ThinkPiece>& out) {
  const bool only_blanks = held_.find_first_not_of(blanks) == std::string::npos;
  const bool lone_tag = state_ == State::text && !in_code_ && std::ranges::find(tags, held_, &TagPair::closing) != tags.end();
  if ((state_ == State::before && only_blanks && !closing_.empty()) || lone_tag) held_.clear();
  emit(held_.size(), out);
  if (inside()) out.push_back({.kind = ThinkPiece::Kind::end});
  *this = ThinkTags(blocks_);
}

}  // namespace parlance
