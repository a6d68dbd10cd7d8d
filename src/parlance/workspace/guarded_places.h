// SPDX-License-Identifier: Apache-2.0
// Places with commands for other programs: git, shells, agents, editors and tools run or trust the files there at their next start. A change in
// such a place needs approval in every mode; only a rule that names the place allows it.
//
// Not guarded: .gitattributes, .gitmodules and .lfsconfig choose among programs that a guarded configuration names. The commands in
// package.json, Makefile and .github/workflows run on a person's word. guarded_layout blocks, because it looks at folders; any thread.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "parlance/hub/conversation/reason.h"

namespace parlance::workspace {

struct GuardedName {
  std::string_view names;  // a component, or several that follow each other: ".config/git"
  std::string_view what;   // for the document
  hub::ReasonId why;       // for the person who is asked
  bool holds_worktrees =
      false;  // its folder `worktrees` holds working copies of repositories, which are judged by their own names
};
std::span<const GuardedName> guarded_names();

struct GuardedPrefix {
  std::size_t size = 0;  // so much of the path is the guarded place
  hub::ReasonId why = hub::ReasonId::git_runs;
};
// By its components, however file systems fold them: `.GIT`, `.git.`, `git~1`, `.g\u200cit`.
std::optional<GuardedPrefix> guarded_name(std::string_view path);

// By what lies around it: git takes every folder for a repository that holds HEAD, objects and refs (or HEAD and commondir), whatever
// its name. `path` is absolute without links; `nearest` is open on the lowest folder above it that exists, which is the first
// `existing` bytes of `path`. Also found is what would make a folder into one.
std::optional<GuardedPrefix> guarded_layout(int nearest, std::string_view path, std::size_t existing);

}  // namespace parlance::workspace
