// SPDX-License-Identifier: Apache-2.0
// The `matcher` of a hook of Claude Code: the tools for which the hook runs. Empty or `*` matches every tool. Words, also several that are
// separated by |, are whole names. Any other text is a regular expression that is searched in the name. A value; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/regex/pattern.h"
#include "parlance/base/result.h"

namespace parlance::adapter {

class ClaudeHookMatcher {
 public:
  static Result<ClaudeHookMatcher> of(std::string_view matcher);  // errors: no regular expression
  static ClaudeHookMatcher none();                                // matches no tool
  bool fits(std::string_view tool) const;

 private:
  bool any_ = true;
  std::vector<std::string> names_;
  std::optional<regex::Pattern> pattern_;
};

}  // namespace parlance::adapter
