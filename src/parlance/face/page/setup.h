// SPDX-License-Identifier: Apache-2.0
// Requests of a page's first screen: agents that need a step of the person, and recent folders. Loop thread only; outlives its tasks.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "parlance/face/page/answered.h"
#include "parlance/protocol/page/messages.h"
#include "parlance/workspace/folder_check.h"

namespace parlance::hub {
class UserHub;
}

namespace parlance::face {

// Known agents that need an installation or a sign-in (page::SetupValue). Empty: none.
using AgentSetups = std::function<std::vector<page::AgentSetup>()>;

class PageSetup {
 public:
  PageSetup(Loop& loop, std::string home, AgentSetups setups) : folders_(loop, std::move(home)), setups_(std::move(setups)) {}

  Answered<page::LookForAgents> perform(page::LookForAgents& m, hub::UserHub& hub);
  Answered<page::GetSetup> perform(page::GetSetup& m, hub::UserHub& hub);

 private:
  workspace::FolderCheck folders_;
  AgentSetups setups_;
};

}  // namespace parlance::face
