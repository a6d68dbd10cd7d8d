// Finds out what policy cannot see of a command that hub/free_commands knows: where its words really lead, which program would run,
// and what the repository's configuration would start. Policy then decides on that, and what it decided on is what runs: this
// program with these words, without a shell, in an environment of its own (hub::PlainCommand).
// Loop thread only; what it refers to outlives it.
#pragma once

#include <optional>
#include <string>

#include "async/worker.h"
#include "hub/command_tool.h"
#include "hub/tools.h"

namespace parlance::service {

struct CommandSeen {
  hub::CommandLook look{};
  // How it runs when nothing was found: git without anything that a repository could start.
  std::optional<hub::PlainCommand> plain{};
};

class CommandCheck {
 public:
  CommandCheck(hub::CommandRunner& commands, Worker& worker) : commands_(commands), worker_(worker) {}
  // Nothing for a command that neither the table nor a rule about git could let run.
  Task<std::optional<CommandSeen>> look(std::string folder, std::string command);

 private:
  hub::CommandRunner& commands_;  // asks git for its configuration
  Worker& worker_;
};

}  // namespace parlance::service
