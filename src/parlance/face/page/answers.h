// SPDX-License-Identifier: Apache-2.0
// What a host does with the requests of its pages that concern no page alone (hub_over_page.h has the others), each with the hub as the
// page's caller may use it. The permission of the message (permissions.h) is checked before. Each is answered by the message's Value. Loop thread only; hub and memory outlive it, and it outlives its tasks.
#pragma once

#include <string>

#include "parlance/agent/backend.h"
#include "parlance/hub/user_hub.h"
#include "parlance/protocol/page/messages.h"
#include "parlance/push/subscriptions.h"
#include "parlance/workspace/file_names.h"
#include "parlance/workspace/folder_check.h"

namespace parlance::face {

// The browsers that are told when no page is open, and the key with which they subscribe.
struct PagePush {
  push::Subscriptions* subscriptions = nullptr;
  std::string public_key{};
};

class PageAnswers {
 public:
  // `memory` and `push` may be null: then what is asked of them fails.
  PageAnswers(Loop& loop, std::string home, agent::AgentBackend* memory, PagePush push)
      : memory_(memory), push_(std::move(push)), folders_(loop, std::move(home)), files_(loop) {}

  template <class Message>
  using Answered = Task<Result<typename Message::Value>>;
  Answered<page::OlderEvents> perform(page::OlderEvents& m, hub::UserHub& hub);
  Answered<page::NewConversation> perform(page::NewConversation& m, hub::UserHub& hub);
  Answered<page::Search> perform(page::Search& m, hub::UserHub& hub);
  Answered<page::KeptSessions> perform(page::KeptSessions& m, hub::UserHub& hub);
  Answered<page::AdoptSession> perform(page::AdoptSession& m, hub::UserHub& hub);
  Answered<page::FindFiles> perform(page::FindFiles& m, hub::UserHub& hub);
  Answered<page::Prompt> perform(page::Prompt& m, hub::UserHub& hub);
  Answered<page::Withdraw> perform(page::Withdraw& m, hub::UserHub& hub);
  Answered<page::Stop> perform(page::Stop& m, hub::UserHub& hub);
  Answered<page::GoOn> perform(page::GoOn& m, hub::UserHub& hub);
  Answered<page::RestartAgent> perform(page::RestartAgent& m, hub::UserHub& hub);
  Answered<page::LookForAgents> perform(page::LookForAgents& m, hub::UserHub& hub);
  Answered<page::Answer> perform(page::Answer& m, hub::UserHub& hub);
  Answered<page::Reask> perform(page::Reask& m, hub::UserHub& hub);
  Answered<page::SetConversation> perform(page::SetConversation& m, hub::UserHub& hub);
  Answered<page::SetOption> perform(page::SetOption& m, hub::UserHub& hub);
  Answered<page::ClearConversation> perform(page::ClearConversation& m, hub::UserHub& hub);
  Answered<page::DeleteConversation> perform(page::DeleteConversation& m, hub::UserHub& hub);
  Answered<page::RevokeRule> perform(page::RevokeRule& m, hub::UserHub& hub);
  Answered<page::SearchMemories> perform(page::SearchMemories& m, hub::UserHub& hub);
  Answered<page::ListMemories> perform(page::ListMemories& m, hub::UserHub& hub);
  Answered<page::ForgetMemory> perform(page::ForgetMemory& m, hub::UserHub& hub);
  Answered<page::GetUsage> perform(page::GetUsage& m, hub::UserHub& hub);
  Answered<page::SetLimits> perform(page::SetLimits& m, hub::UserHub& hub);
  Answered<page::GetPush> perform(page::GetPush& m, hub::UserHub& hub);
  Answered<page::PushSubscribe> perform(page::PushSubscribe& m, hub::UserHub& hub);
  Answered<page::PushRemove> perform(page::PushRemove& m, hub::UserHub& hub);

 private:
  Task<std::optional<Result<hub::FilesFound>>> find_elsewhere(page::FindFiles& m, hub::UserHub& hub);
  Result<page::PushValue> browsers(const hub::UserHub& hub) const;

  agent::AgentBackend* memory_;
  PagePush push_;
  workspace::FolderCheck folders_;
  workspace::FileNames files_;
};

}  // namespace parlance::face
