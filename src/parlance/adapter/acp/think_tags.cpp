// SPDX-License-Identifier: Apache-2.0
#include "parlance/adapter/acp/think_tags.h"

#include <utility>

#include "parlance/base/partial_tag.h"

namespace parlance::adapter {
namespace {

constexpr std::string_view open_tag = "<think>";
constexpr std::string_view close_tag = "</think>";

}  // namespace

void ThinkTags::emit(std::string_view text, std::vector<ThinkPiece>& out) const {
  if (!text.empty()) out.push_back({inside_ ? ThinkPiece::Kind::thought : ThinkPiece::Kind::text, std::string(text)});
}

void ThinkTags::feed(std::string_view text, std::vector<ThinkPiece>& out) {
  std::string joined;
  if (!held_.empty()) {
    joined = std::exchange(held_, {}) + std::string(text);
    text = joined;
  }
  while (true) {
    const std::string_view tag = inside_ ? close_tag : open_tag;
    const std::size_t at = text.find(tag);
    if (at == std::string_view::npos) break;
    emit(text.substr(0, at), out);
    inside_ = !inside_;
    out.push_back({inside_ ? ThinkPiece::Kind::begin : ThinkPiece::Kind::end});
    text.remove_prefix(at + tag.size());
  }
  const std::size_t keep = partial_tag(text, inside_ ? close_tag : open_tag);
  emit(text.substr(0, text.size() - keep), out);
  held_ = text.substr(text.size() - keep);
}

void ThinkTags::finish(std::vector<ThinkPiece>& out) {
  emit(held_, out);
  held_.clear();
  if (inside_) out.push_back({ThinkPiece::Kind::end});
  inside_ = false;
}

}  // namespace parlance::adapter
