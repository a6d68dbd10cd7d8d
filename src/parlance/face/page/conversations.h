// SPDX-License-Identifier: Apache-2.0
// Requests of pages about conversations: their list, events, prompts, requests of agents, and settings. Loop thread only; outlives
// its tasks.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "parlance/face/page/answered.h"
#include "parlance/hub/user_hub.h"
#include "parlance/protocol/page/messages.h"
#include "parlance/workspace/file_names.h"
#include "parlance/workspace/folder_check.h"

namespace parlance::face {

class PageConversations {
 public:
  PageConversations(Loop& loop, std::string home) : folders_(loop, std::move(home)), files_(loop) {}

  Answered<page::OlderEvents> perform(page::OlderEvents& m, hub::UserHub& hub);
  Answered<page::ListConversations> perform(page::ListConversations& m, hub::UserHub& hub);
  Answered<page::GetConversation> perform(page::GetConversation& m, hub::UserHub& hub);
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
  Answered<page::Answer> perform(page::Answer& m, hub::UserHub& hub);
  Answered<page::Reask> perform(page::Reask& m, hub::UserHub& hub);
  Answered<page::SetConversation> perform(page::SetConversation& m, hub::UserHub& hub);
  Answered<page::SetOption> perform(page::SetOption& m, hub::UserHub& hub);
  Answered<page::ClearConversation> perform(page::ClearConversation& m, hub::UserHub& hub);
  Answered<page::DeleteConversation> perform(page::DeleteConversation& m, hub::UserHub& hub);
  Answered<page::RevokeRule> perform(page::RevokeRule& m, hub::UserHub& hub);

 private:
  Task<std::optional<Result<hub::FilesFound>>> find_on_runner(page::FindFiles& m, hub::UserHub& hub);

  workspace::FolderCheck folders_;
  workspace::FileNames files_;
};

}  // namespace parlance::face
