// SPDX-License-Identifier: Apache-2.0
// Checks a folder named by a frontend. File systems may block for seconds (networks do), so a separate thread checks. Loop thread
// only; outlives its tasks.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "parlance/async/worker.h"
#include "parlance/base/result.h"

namespace parlance::hub {
struct AgentInfo;
}

namespace parlance::workspace {

class FolderCheck {
 public:
  FolderCheck(Loop& loop, std::string home) : loop_(loop), home_(std::move(home)) {}
  // The real path: without ".", ".." and links, so that a later replacement of the folder by a link is detected
  // (PathGuard::open_real). "~" and "~/…" are below the home folder. Errors: invalid_params (not absolute), not_found.
  Task<Result<std::string>> resolve(std::string folder);
  // The same for a folder of one of the agents. On another machine (AgentInfo::runner), the folder must be an offered folder or
  // below; only that machine knows its existence. Empty: the first offered folder.
  Task<Result<std::string>> resolve_for(std::vector<hub::AgentInfo> agents, std::string agent, std::string folder);

 private:
  Loop& loop_;
  std::string home_;
  std::unique_ptr<Worker> worker_;  // from the first question on
};

}  // namespace parlance::workspace
