// SPDX-License-Identifier: Apache-2.0
// A command of `parlance` as a row: what it is called, what it says of itself, which settings it takes as flags, and what it runs.
// command_table.cpp has the rows, command_line.cpp reads what a person typed by them. Values; main thread.
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

// What a command does once its words are read and its settings are known; returns the exit code. `behind`: the words behind `--`.
using Action = std::function<int(const Settings& settings, const Words& behind)>;

// Declares the words and flags of a command, and returns what will act on them. What the reader writes into lives as long as the action.
using Declare = Action (*)(CLI::App& app);

struct Command {
  std::string_view name;                            // "memory search": a command of the group `memory`
  std::string_view doc;                             // sentences
  std::string_view examples{};                      // lines
  std::span<const std::string_view> settings = {};  // that are flags of it, beside those of every command
  Declare declare = nullptr;                        // none: a group, or a program that reads its own flags
  bool tells_untrusted = false;                     // it prints itself what of parlance.toml does not count
};
std::span<const Command> all_commands();

// A command without words of its own.
template <int (*run)(const Settings&)>
Action only_settings(CLI::App&) {
  return [](const Settings& settings, const Words&) { return run(settings); };
}

}  // namespace parlance::app
