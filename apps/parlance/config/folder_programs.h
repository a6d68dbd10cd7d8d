// Files of a working folder by which a coding agent runs programs, or sends conversations elsewhere, at its start: hooks, MCP servers, helper
// commands, environment. A repository that somebody clones can bring such files along. parlance asks a person before an agent starts there
// (docs/decisions/0024-a-folders-configuration-is-trusted-first.md).
//
// Also looked at are the folders above, up to the root of the repository, because agents look there as well; never the home folder, whose
// files are the person's own. Blocks for a moment: at most some hundred files of 1 MiB are read. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/parlance/config/trust.h"

namespace parlance::app {

struct FolderProgram {
  TrustedFile file{};          // its real path, and the digest of its contents
  std::string name{};          // relative to the working folder
  std::string what{};          // the commands, servers and settings in it, one on each line
};

// By path. `agent`: AgentInfo::id; the files of all agents count for one that is not known. A file that cannot be read or parsed is in the
// list.
std::vector<FolderProgram> folder_programs(const std::string& folder, std::string_view agent);

}  // namespace parlance::app
