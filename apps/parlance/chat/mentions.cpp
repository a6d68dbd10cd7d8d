// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/chat/mentions.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace parlance::app {
namespace {

constexpr std::size_t most = 10;  // for each prompt; more mentions usually mean whole files
constexpr std::size_t most_bytes =
    64 << 10;  // of a mention; a longer range is sent as a path only, and the agent can read the file

bool same_place(const hub::PromptContext& a, const hub::PromptContext& b) { return a.path == b.path && a.range == b.range; }

std::uint32_t narrow(std::uint64_t line) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(line, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace

std::string Mentions::add(const editor::AtMentioned& lines) {
  hub::PromptContext part{.path = lines.file_path};
  std::string words = lines.file_path.substr(lines.file_path.find_last_of("/\\") + 1);
  if (lines.line_start) {
    part.range = hub::LineRange{*lines.line_start, std::max(*lines.line_start, lines.line_end.value_or(*lines.line_start))};
    words += ":" + std::to_string(part.range->first);
    if (part.range->last != part.range->first) words += "-" + std::to_string(part.range->last);
  }
  std::erase_if(waiting_, [&](const hub::PromptContext& before) { return same_place(before, part); });
  if (waiting_.size() == most) waiting_.erase(waiting_.begin());
  waiting_.push_back(std::move(part));
  return words;
}

Task<std::vector<hub::PromptContext>> Mentions::before(std::vector<hub::PromptContext> context, hub::Editor& editor) {
  std::vector<hub::PromptContext> all = std::exchange(waiting_, {});
  for (hub::PromptContext& part : all) {
    std::erase_if(context, [&](const hub::PromptContext& known) { return same_place(part, known); });
    if (!part.range) continue;
    auto document = co_await editor.read_document(part.path, narrow(part.range->first), narrow(part.range->last));
    if (document && document->content.size() <= most_bytes) part.text = std::move(document->content);
  }
  std::ranges::move(context, std::back_inserter(all));
  co_return all;
}

}  // namespace parlance::app
