// SPDX-License-Identifier: Apache-2.0
// Changes of files that a person has just allowed. Qwen Code, OpenCode and others ask whether they may make a change, with the change, and
// then have their host write the file (ACP fs/write_text_file): the person is not asked twice about the same thing. It is the same thing only
// where the place that the path leads to, the text before and the text after are, and it is once, and soon. Values; loop thread only.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

#include "parlance/base/clock.h"
#include "parlance/hub/conversation/tool_call.h"

namespace parlance::hub {

class AllowedEdits {
 public:
  static constexpr std::chrono::seconds lasts{60};  // from a person's word to the write: agents take a moment
  static constexpr std::size_t most = 32;           // agents ask about a change and make it, one by one

  // What a person allowed; nothing is kept of what has no diff or no place.
  void add(const ToolIntent& allowed, TimePoint now);
  // Whether `wanted`, a whole file before and after, is such a change; then it is no more. What was allowed may have shown the part that
  // changes alone, where that stands in the file once.
  bool take(const ToolIntent& wanted, TimePoint now);

 private:
  struct Edit {
    std::string place{};
    std::string before{};
    std::string after{};
    TimePoint until{};
  };
  static bool makes(const Edit& edit, std::string_view before, std::string_view after);
  std::deque<Edit> edits_;  // the oldest first
};

}  // namespace parlance::hub
