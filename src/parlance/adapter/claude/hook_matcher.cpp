// SPDX-License-Identifier: Apache-2.0
#include "parlance/adapter/claude/hook_matcher.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "parlance/base/text.h"

namespace parlance::adapter {
namespace {

constexpr std::size_t matching_work = 1'000'000;  // for one matcher and one name: 10 ms; usual matchers need some hundreds

bool is_name_or_bar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '|';
}

}  // namespace

Result<ClaudeHookMatcher> ClaudeHookMatcher::of(std::string_view matcher) {
  ClaudeHookMatcher made;
  if (matcher.empty() || matcher == "*") return made;
  made.any_ = false;
  if (std::ranges::all_of(matcher, is_name_or_bar)) {
    for (const std::string_view name : split(matcher, '|')) made.names_.emplace_back(name);
    return made;
  }
  PARLANCE_TRY(pattern, regex::Pattern::compile(matcher));
  made.pattern_ = std::move(pattern);
  return made;
}

ClaudeHookMatcher ClaudeHookMatcher::none() {
  ClaudeHookMatcher made;
  made.any_ = false;
  return made;
}

bool ClaudeHookMatcher::fits(std::string_view tool) const {
  if (any_ || std::ranges::find(names_, tool) != names_.end()) return true;
  std::size_t work = matching_work;
  // Without a result in time, the hook runs: the hook may refuse the call.
  return pattern_ && (pattern_->found_in(tool, work) || work == 0);
}

}  // namespace parlance::adapter
