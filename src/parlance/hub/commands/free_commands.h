// SPDX-License-Identifier: Apache-2.0
// The table of commands with read-only forms. Mode `smart` runs these forms without a request, and "always" may be offered for
// them. Each row lists options and operands. A command outside the table, down to the last option, needs a request. Pure: no
// access to a disk; toolbox/command_check resolves the paths in a command. Values; any thread.
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
  anything,         // every word is text, even with a leading dash
  text,             // words other than paths
  files,            // files, no folders
  paths,            // files and folders
  pattern_paths,    // an expression (unless given as an option), then files and folders
  words_or_paths,   // git names and expressions: checked as paths all the same
  find_expression,  // paths, and then tests
};

struct FreeCommand {
  std::string_view words;  // the program and its required subcommands: "git stash list"
  // Separated by blanks. `-a` `--all`: a flag; one-letter flags may be combined. `-n:` `--lines:` takes a text, `-f@` `--file@` a
  // path, `--color?` an optional text in the same word; `-#` is a number (`-20`). Abbreviations do not match.
  std::string_view options;
  Operands operands = Operands::none;  // the words after the options
  std::string_view forced{};           // options inserted behind `words` before the start
};
// All rows, in the order of the lookup.
std::span<const FreeCommand> free_commands();

struct PathWord {
  std::string word{};
  bool folder_allowed = true;  // false: the command reads files only
};

// A command as the table reads it.
struct FreeForm {
  const FreeCommand* command = nullptr;
  std::vector<std::string> words{};
  std::vector<PathWord> paths{};  // all possible file names
};
// The error names the word outside the table.
std::expected<FreeForm, std::string> free_form(const std::vector<std::string>& words);

bool is_free_program(std::string_view program);  // a row begins with this program; compared by base name

// ---- git ------------------------------------------------------------------------------------------------------------------------

// Arguments before the subcommand and environment of a free git command: they disable everything that a repository's
// configuration could start.
std::span<const std::string_view> git_settings();  // "core.fsmonitor=false", for -c
std::span<const std::pair<std::string_view, std::string_view>> git_environment();

// Configuration keys (in lower case; `*` is any text) of a program or a file without a switch in the environment or arguments.
std::span<const std::string_view> git_keys_not_turned_off();
// Keys that `git_settings` disables: relevant only to a git command without these settings.
std::span<const std::string_view> git_keys_turned_off();
// Whether a key in lower case fits one of these patterns.
bool fits_git_key(std::string_view key, std::string_view pattern);

}  // namespace parlance::hub
