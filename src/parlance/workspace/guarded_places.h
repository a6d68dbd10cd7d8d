// Places that programs obey: what is written there is run, or trusted, by a program that nobody asked about. git's files above all: its
// configuration and its hooks name programs that any git command starts. Nothing is written there unasked, whatever mode or rule.
//
// Not guarded, on purpose: .gitattributes, .gitmodules, .lfsconfig and the like. They only choose among programs that a configuration
// names, and configurations are guarded. Blocking (guarded_layout looks at folders); any thread.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace parlance::workspace {

struct GuardedName {
  std::string_view names;  // a component, or several that follow each other: ".config/git"
  std::string_view what;   // for the document
  std::string_view why;    // for the person who is asked
};
std::span<const GuardedName> guarded_names();

struct GuardedPrefix {
  std::size_t size = 0;  // so much of the path is the guarded place
  std::string_view why{};
};
// By its components, however file systems fold them: `.GIT`, `.git.`, `git~1`, `.g\u200cit`.
std::optional<GuardedPrefix> guarded_name(std::string_view path);

// By what lies around it: git takes every folder for a repository that holds HEAD, objects and refs (or HEAD and commondir), whatever
// its name. `path` is absolute without links; `nearest` is open on the lowest folder above it that exists, which is the first
// `existing` bytes of `path`. Also found is what would make a folder into one.
std::optional<GuardedPrefix> guarded_layout(int nearest, std::string_view path, std::size_t existing);

}  // namespace parlance::workspace
