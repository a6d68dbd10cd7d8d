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
  std::string_view names;        // a component, or several consecutive components: ".config/git"
  std::string_view what;         // for the document
  hub::ReasonId why;             // for the person's request
  bool holds_worktrees = false;  // its folder `worktrees` contains working copies of repositories, judged by their own names
};
std::span<const GuardedName> guarded_names();

struct GuardedPrefix {
  std::size_t size = 0;  // so much of the path is the guarded place
  hub::ReasonId why = hub::ReasonId::git_runs;
};
// By its components, in all foldings of file systems: `.GIT`, `.git.`, `git~1`, `.g\u200cit`.
std::optional<GuardedPrefix> guarded_name(std::string_view path);

// By the surrounding files: git takes every folder with HEAD, objects and refs (or HEAD and commondir) for a repository,
// regardless of its name. `path` is absolute without links; `nearest` is open on the lowest existing folder above, the first
// `existing` bytes of `path`. Also finds a file that would make a folder a repository.
std::optional<GuardedPrefix> guarded_layout(int nearest, std::string_view path, std::size_t existing);

}  // namespace parlance::workspace
