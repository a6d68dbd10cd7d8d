// SPDX-License-Identifier: Apache-2.0
// Changes of files that a person or a rule has just allowed. Qwen Code, OpenCode and other agents request approval of a change, with the
// change, and then write the file through their host (ACP fs/write_text_file). The write needs no second approval if the real path, the text
// before and the text after are the same; once, and soon. Values; loop thread only.
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
  static constexpr std::chrono::seconds lasts{60};  // from the approval to the write: agents take a moment
  static constexpr std::size_t most = 32;           // agents ask about a change and make it, one by one

  // An allowed change. An intent without a diff or a real path is ignored.
  void add(const ToolIntent& allowed, TimePoint now);
  // True if `wanted`, a whole file before and after, is an allowed change; removes the change. An allowed change may contain the changed part
  // alone, if the file contains that part once.
  bool take(const ToolIntent& wanted, TimePoint now);

 private:
  struct Edit {
    std::string place{};
    std::string before{};
    std::string after{};
    TimePoint until{};
  };
  // Whether the allowed edit turns `before` into exactly `after`.
  static bool makes(const Edit& edit, std::string_view before, std::string_view after);
  std::deque<Edit> edits_;  // the oldest first
};

}  // namespace parlance::hub
