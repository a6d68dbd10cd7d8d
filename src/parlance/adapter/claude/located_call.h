// SPDX-License-Identifier: Apache-2.0
// Resolves the path in a call of Claude Code as Claude Code does before it opens the file. Claude Code drops white space around
// the path and replaces `~` by the home folder. A relative path, and a search without a path, begin at the current folder of its
// shell. The policy judges the resolved path, not the text in the call. Pure; any thread.
#pragma once

#include <string>

#include "parlance/adapter/claude/call.h"

namespace parlance::adapter {

struct LocatedCall {
  ClaudeCall call{};     // for the policy alone; Claude Code gets its original call
  bool is_known = true;  // false: the path cannot be resolved from the input, so the call needs approval
};

// `cwd`: the current folder of Claude Code; empty: `folder`, the folder of the conversation. `home`: empty when unknown.
LocatedCall located_call(ClaudeCall call, const std::string& folder, const std::string& cwd, const std::string& home);

}  // namespace parlance::adapter
