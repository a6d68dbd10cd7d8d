// SPDX-License-Identifier: Apache-2.0
// Parses command lines for policy. The parser is no shell: every construct beyond its grammar makes a command "not simple". No
// rule allows such a command, and the command never runs without a request. Pure. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parlance::hub {

// The words of a simple command, as a shell would read them. No value for pipes, lists, substitutions, redirections, assignments,
// globs and unbalanced quotes: an allow rule never fits such a command.
std::optional<std::vector<std::string>> simple_command(std::string_view command);
// The words of every simple command of a list or pipe, and of the commands in their words: for rules that deny or ask. Best effort:
// variables and programs with a language of their own may hide a command.
struct CommandParts {
  std::vector<std::vector<std::string>> all{};
  bool complete = true;  // false: too long or deep to read; such a command counts as containing each denied command
};
CommandParts command_parts(std::string_view command);

}  // namespace parlance::hub
