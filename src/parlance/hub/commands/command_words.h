// SPDX-License-Identifier: Apache-2.0
// Command lines as policy reads them. This is no shell: what it does not fully understand is "not simple", and then no rule allows
// it and nothing runs unasked. Pure. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parlance::hub {

// The words of a simple command, as a shell would see them; nothing when it is more than that (pipes, lists, substitutions,
// redirections, assignments, globs, unbalanced quotes): an allow rule never fits such a command.
std::optional<std::vector<std::string>> simple_command(std::string_view command);
// The same for every simple command of a list or pipe, as well as it can be told: for rules that deny or ask.
std::vector<std::vector<std::string>> command_parts(std::string_view command);

}  // namespace parlance::hub
