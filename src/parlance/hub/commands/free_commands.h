// SPDX-License-Identifier: Apache-2.0
// The table of commands that may run unasked (mode `smart`) and that "always" may be offered for: for each its options and what may
// stand beside them, forms that only read. What is not in the table, down to the last option, is asked. Nothing here looks at a disk:
// where the words that name files really lead is for toolbox/command_check to find out. Pure. Values; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parlance::hub {

enum class Operands : std::uint8_t {
  none,             // nothing
  anything,         // every word is text, also one that looks like an option
  text,             // words that are no paths
  files,            // files, no folders
  paths,            // files and folders
  pattern_paths,    // one expression, unless an option gives it, and then files and folders
  words_or_paths,   // names of git, expressions: judged as paths all the same
  find_expression,  // paths, and then tests
};

struct FreeCommand {
  std::string_view words;  // the program, and what has to follow it: "git stash list"
  // Apart by blanks. `-a` `--all`: as they stand, one-letter ones also together; `-n:` `--lines:` takes a text, `-f@` `--file@` a path,
  // `--color?` a text in the same word if any; `-#` is a number (`-20`). Nothing is recognised by its beginning.
  std::string_view options;
  Operands operands = Operands::none;
  std::string_view forced{};  // options that are put behind `words` when it runs
};
std::span<const FreeCommand> free_commands();

struct PathWord {
  std::string word{};
  bool folder_allowed = true;
};

// A command as the table reads it.
struct FreeForm {
  const FreeCommand* command = nullptr;
  std::vector<std::string> words{};
  std::vector<PathWord> paths{};  // everything in it that may name a file
};
// The error says which word is not in the table.
std::expected<FreeForm, std::string> free_form(const std::vector<std::string>& words);

bool is_free_program(std::string_view program);  // some row begins with it; by its name, whatever the path

// ---- git ------------------------------------------------------------------------------------------------------------------------

// What a free git command gets before its subcommand, and in its environment: everything off that a repository's configuration
// could start.
std::span<const std::string_view> git_settings();  // "core.fsmonitor=false", for -c
std::span<const std::pair<std::string_view, std::string_view>> git_environment();

// Keys of a configuration (in lower case; `*` is any text) that name a program or a file, and cannot be turned off from outside.
std::span<const std::string_view> git_keys_not_turned_off();
// Those that `git_settings` turns off: they matter only to a git command that runs without them.
std::span<const std::string_view> git_keys_turned_off();
bool fits_git_key(std::string_view key, std::string_view pattern);

}  // namespace parlance::hub
