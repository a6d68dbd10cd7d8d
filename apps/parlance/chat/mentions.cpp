// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/chat/mentions.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace parlance::app {
namespace {

constexpr std::size_t most = 10;              // with one prompt: a person who points at more means the files
constexpr std::size_t most_bytes = 64 << 10;  // of one; of a longer one only the place goes along, and the agent can read it

bool same_place(const hub::PromptContext& a, const hub::PromptContext& b) { return a.path == b.path && a.range == b.range; }

std::uint32_t narrow(std::uint64_t line) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(line, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace

std::string Mentions::add(const editor::AtMentioned& lines) {
  hub::PromptContext one{.path = lines.file_path};
  std::string words = lines.file_path.substr(lines.file_path.find_last_of("/\\") + 1);
  if (lines.line_start) {
    one.range = hub::LineRange{*lines.line_start, std::max(*lines.line_start, lines.line_end.value_or(*lines.line_start))};
    words += ":" + std::to_string(one.range->first);
    if (one.range->last != one.range->first) words += "-" + std::to_string(one.range->last);
  }
  std::erase_if(waiting_, [&](const hub::PromptContext& before) { return same_place(before, one); });
  if (waiting_.size() == most) waiting_.erase(waiting_.begin());
  waiting_.push_back(std::move(one));
  return words;
}

Task<std::vector<hub::PromptContext>> Mentions::before(std::vector<hub::PromptContext> context, hub::Editor& editor) {
  std::vector<hub::PromptContext> all = std::exchange(waiting_, {});
  for (hub::PromptContext& one : all) {
    std::erase_if(context, [&](const hub::PromptContext& other) { return same_place(one, other); });
    if (!one.range) continue;
    auto document = co_await editor.read_document(one.path, narrow(one.range->first), narrow(one.range->last));
    if (document && document->content.size() <= most_bytes) one.text = std::move(document->content);
  }
  std::ranges::move(context, std::back_inserter(all));
  co_return all;
}

}  // namespace parlance::app
