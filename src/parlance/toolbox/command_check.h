// SPDX-License-Identifier: Apache-2.0
// Finds facts about a command of hub/commands/free_commands for policy. The facts are the real paths of its words, the program
// to run, and programs started by the repository's configuration. Policy decides on these facts, and the approved form runs:
// this program with these words, without a shell, in an environment of its own (hub::PlainCommand). Loop thread only; all
// references must outlive the check.
#pragma once

#include <optional>
#include <string>

#include "parlance/async/worker.h"
#include "parlance/hub/agent/tools.h"
#include "parlance/workspace/command_tool.h"

namespace parlance::toolbox {

struct CommandSeen {
  hub::CommandLook look{};
  // The form to run without findings: git without programs of a repository.
  std::optional<workspace::PlainCommand> plain{};
};

class CommandCheck {
 public:
  CommandCheck(workspace::CommandRunner& commands, Worker& worker) : commands_(commands), worker_(worker) {}
  // Absent: neither the table nor a rule about git could allow the command.
  Task<std::optional<CommandSeen>> look(std::string folder, std::string command);
  // Checks again before the run, because the paths may have changed.
  Task<bool> leads_as_before(std::string folder, std::string command, workspace::PlainCommand plain);
  // The digest of the folder's scripts that the command runs (script_digest.h).
  Task<std::string> scripts(std::string folder, std::string command);

 private:
  workspace::CommandRunner& commands_;  // Asks git for its configuration.
  Worker& worker_;
};

}  // namespace parlance::toolbox
