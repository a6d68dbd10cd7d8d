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
// The words of every simple command of a list or pipe, on a best-effort basis: for rules that deny or ask.
std::vector<std::vector<std::string>> command_parts(std::string_view command);

}  // namespace parlance::hub
