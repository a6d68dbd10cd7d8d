// SPDX-License-Identifier: Apache-2.0
// Whether a folder that a face names is there. File systems may block for seconds (networks do), so a thread of its own looks.
// Loop thread only; outlives its tasks.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "parlance/async/worker.h"
#include "parlance/base/result.h"
#include "parlance/hub/conversation/conversation.h"

namespace parlance::workspace {

class FolderCheck {
 public:
  FolderCheck(Loop& loop, std::string home) : loop_(loop), home_(std::move(home)) {}
  // The real path: without ".", ".." and links, so that a link that replaces the folder later is noticed (PathGuard::open_real). "~" and "~/…"
  // are below the home folder. Errors: invalid_params (not absolute), not_found.
  Task<Result<std::string>> resolve(std::string folder);
  // The same of a folder that this one of the agents is to work in: of one on another machine (AgentInfo::place) it must be among those that
  // are offered there, or below; whether it is there only that machine knows. Empty: the first of them.
  Task<Result<std::string>> resolve_for(std::vector<hub::AgentInfo> agents, std::string agent, std::string folder);

 private:
  Loop& loop_;
  std::string home_;
  std::unique_ptr<Worker> worker_;  // from the first question on
};

}  // namespace parlance::workspace
