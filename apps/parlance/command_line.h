// SPDX-License-Identifier: Apache-2.0
// The parsed command line: the command with its words and flags. Main thread; outlives the action, which reads the words in
// place.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "apps/parlance/command.h"

namespace parlance::app {

class CommandLine {
 public:
  explicit CommandLine(std::span<const Command> commands);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  // The exit code if no action remains: help was printed, or a sentence explained an unknown command.
  std::optional<int> read(int argc, char** argv);

  // Only after `read` has returned no value.
  const Command& command() const { return *command_; }
  const std::map<std::string, std::string>& settings() const { return settings_; }  // by the settings' names
  const std::string& config_file() const { return config_file_; }                   // --config, or empty
  int run(const Settings& settings) const { return action_(settings, behind_); }

 private:
  struct Declared {
    const Command* command = nullptr;
    CLI::App* app = nullptr;
    Action action{};
  };
  CLI::App& group_of(const Command& command) const;
  void declare(const Command& command);
  void add_setting(CLI::App& app, std::string_view name);

  std::unique_ptr<CLI::App> app_;
  std::vector<Declared> declared_;
  std::map<std::string, std::string> settings_;
  std::string config_file_;
  Words behind_;
  const Command* command_ = nullptr;
  Action action_;
};

}  // namespace parlance::app
