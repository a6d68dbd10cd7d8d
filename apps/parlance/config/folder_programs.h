// SPDX-License-Identifier: Apache-2.0
// Files of a working folder with programs for a coding agent: hooks, MCP servers, helper commands, environment. The agent runs these programs
// at its start. A cloned repository can contain such files, so parlance needs approval before an agent starts
// (docs/decisions/0024-a-folders-configuration-is-trusted-first.md).
//
// Agents also read the parent folders up to the root of the repository, so parlance does the same. The files of the home folder are the
// person's own and do not count. Blocks while it reads these files. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/parlance/config/trust.h"

namespace parlance::app {

struct FolderProgram {
  TrustedFile file{};  // its real path, and the digest of its contents
  std::string name{};  // relative to the working folder
  std::string what{};  // its commands, servers and settings, one on each line
  // False: too much to check. No answer can allow it, because harmless files would hide a program.
  bool can_be_allowed = true;
};

// By path. `agent`: AgentInfo::id; for an unknown agent the files of all agents count. The list includes unreadable and invalid files.
std::vector<FolderProgram> folder_programs(const std::string& folder, std::string_view agent);

}  // namespace parlance::app
