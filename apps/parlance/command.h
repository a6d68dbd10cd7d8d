// SPDX-License-Identifier: Apache-2.0
// A command of `parlance` as a row: its name, description, settings as flags, and action. command_table.cpp has the rows,
// command_line.cpp parses the command line with them. Values; main thread.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/parlance/config/settings.h"

namespace CLI {
class App;
}

namespace parlance::app {

using Words = std::vector<std::string>;

// The action of a parsed command with resolved settings; returns the exit code. `behind`: the words behind `--`.
using Action = std::function<int(const Settings& settings, const Words& behind)>;

// Declares the words and flags of a command, and returns the action. The parsed values live as long as the action.
using Declare = Action (*)(CLI::App& app);

struct Command {
  std::string_view name;                            // "memory search": a command of the group `memory`
  std::string_view doc;                             // sentences
  std::string_view examples{};                      // lines
  std::span<const std::string_view> settings = {};  // settings used as its flags, besides the common flags
  Declare declare = nullptr;                        // none: a group, or a program with its own flags
  bool reports_untrusted = false;                   // prints the ignored entries of parlance.toml itself
};
std::span<const Command> all_commands();

// A command without own arguments.
template <int (*run)(const Settings&)>
Action only_settings(CLI::App&) {
  return [](const Settings& settings, const Words&) { return run(settings); };
}

}  // namespace parlance::app
