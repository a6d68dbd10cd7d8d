// SPDX-License-Identifier: Apache-2.0
// Requests of pages about conversations: their list, events, prompts, requests of agents, and settings. Loop thread only; outlives
// its tasks.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "parlance/face/page/answered.h"
#include "parlance/face/page/requests.h"
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
  // A command to a conversation.
  template <page::CarriesCommand Message>
  Answered<Message> perform(Message& m, hub::UserHub& hub);
  Answered<page::RevokeRule> perform(page::RevokeRule& m, hub::UserHub& hub);

 private:
  Task<std::optional<Result<hub::FilesFound>>> find_on_runner(page::FindFiles& m, hub::UserHub& hub);

  workspace::FolderCheck folders_;
  workspace::FileNames files_;
};

// An answer of the page names only its request.
template <page::CarriesCommand Message>
auto PageConversations::perform(Message& m, hub::UserHub& hub) -> Answered<Message> {
  using Command = Message::Command;
  std::string conversation;
  if constexpr (page::NamesConversation<Message>) {
    conversation = std::move(m.conversation);
  } else {
    PARLANCE_CO_TRY(found, co_await hub.conversation_of_ask(m.command.request));
    conversation = std::move(found);
  }
  if constexpr (std::same_as<Message, page::Prompt>) {
    PARLANCE_CO_TRY(attachments, to_attachments(std::move(m.attachments)));
    m.command.attachments = std::move(attachments);
  }
  if constexpr (std::convertible_to<Command, hub::CommandAtOnce>) {
    PARLANCE_CO_TRY_DO(hub.submit_at_once(std::move(conversation), std::move(m.command)));
    co_return wire::Nothing{};
  } else if constexpr (std::is_void_v<typename Command::Result>) {
    PARLANCE_CO_TRY_DO(co_await hub.submit(std::move(conversation), std::move(m.command)));
    co_return wire::Nothing{};
  } else {
    PARLANCE_CO_TRY(result, co_await hub.submit(std::move(conversation), std::move(m.command)));
    co_return value_of(std::move(result));
  }
}

}  // namespace parlance::face
