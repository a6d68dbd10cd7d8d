// A call of a tool of Claude Code with its path written out, as Claude Code itself resolves it before it opens a file: white space around the
// path is dropped, `~` is the home folder, a relative path begins at the shell's current folder, and a search without a path happens there.
// The policy must see that path, and not the text in the call. Pure; any thread.
#pragma once

#include <string>

#include "parlance/adapter/claude/call.h"

namespace parlance::adapter {

struct LocatedCall {
  ClaudeCall call{};      // for the policy; the original call stays as Claude Code sent it
  bool is_known = true;   // false: the place cannot be told from the input, so a person is asked
};

// `cwd`: the current folder of Claude Code; empty: `folder`, the folder of the conversation. `home`: empty when unknown.
LocatedCall located_call(ClaudeCall call, const std::string& folder, const std::string& cwd, const std::string& home);

}  // namespace parlance::adapter
