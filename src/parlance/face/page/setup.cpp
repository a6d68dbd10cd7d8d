// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/page/setup.h"

#include <algorithm>

#include "parlance/face/page/limits.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/runtime/snapshot.h"
#include "parlance/hub/user_hub.h"

namespace parlance::face {
namespace {

constexpr std::size_t recent_folders = 8;
constexpr std::size_t checked_folders = 24;  // a removed disk with many folders must not delay the answer

// Folders of this machine, each once, in the order of the conversations.
std::vector<std::string> folders_by_use(std::vector<hub::Conversation> conversations) {
  std::vector<std::string> folders;
  for (hub::Conversation& conversation : conversations) {
    if (conversation.runner || std::ranges::find(folders, conversation.folder) != folders.end()) continue;
    folders.push_back(std::move(conversation.folder));
    if (folders.size() == checked_folders) break;
  }
  return folders;
}

}  // namespace

auto PageSetup::perform(page::LookForAgents&, hub::UserHub& hub) -> Answered<page::LookForAgents> {
  PARLANCE_CO_TRY_DO(co_await hub.look_for_agents());
  co_return wire::Nothing{};
}

auto PageSetup::perform(page::GetSetup&, hub::UserHub& hub) -> Answered<page::GetSetup> {
  page::SetupValue value;
  if (setups_) value.agents = setups_();
  for (std::string& folder : folders_by_use(hub.list({}, limits::page_conversations).conversations)) {
    if (co_await folders_.resolve(folder)) value.folders.push_back(std::move(folder));
    if (value.folders.size() == recent_folders) break;
  }
  co_return value;
}

}  // namespace parlance::face
