// SPDX-License-Identifier: Apache-2.0
// Finds out what policy cannot see of a command that hub/commands/free_commands knows: where its words really lead, which program would run,
// and what the repository's configuration would start. Policy then decides on that, and what it decided on is what runs: this
// program with these words, without a shell, in an environment of its own (hub::PlainCommand).
// Loop thread only; what it refers to outlives it.
#pragma once

#include <optional>
#include <string>

#include "parlance/async/worker.h"
#include "parlance/hub/tools.h"
#include "parlance/workspace/command_tool.h"

namespace parlance::toolbox {

struct CommandSeen {
  hub::CommandLook look{};
  // How it runs when nothing was found: git without anything that a repository could start.
  std::optional<workspace::PlainCommand> plain{};
};

class CommandCheck {
 public:
  CommandCheck(workspace::CommandRunner& commands, Worker& worker) : commands_(commands), worker_(worker) {}
  // Nothing for a command that neither the table nor a rule about git could let run.
  Task<std::optional<CommandSeen>> look(std::string folder, std::string command);
  // Looks once more, when it is to run as it was decided on: its words may lead elsewhere by now.
  Task<bool> leads_as_before(std::string folder, std::string command, workspace::PlainCommand plain);
  // The digest of the scripts that it runs out of the folder (script_digest.h).
  Task<std::string> scripts(std::string folder, std::string command);

 private:
  workspace::CommandRunner& commands_;  // asks git for its configuration
  Worker& worker_;
};

}  // namespace parlance::toolbox
