// What a host does with the requests of its pages that concern no page alone (hub_over_page.h has the others). Each is answered by the
// message's Value. Loop thread only; hub and memory outlive it, and it outlives its tasks.
#pragma once

#include <string>

#include "parlance/agent/backend.h"
#include "parlance/hub/hub.h"
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
  PageAnswers(Loop& loop, hub::Hub& hub, std::string home, agent::AgentBackend* memory, PagePush push)
      : hub_(hub), memory_(memory), push_(std::move(push)), folders_(loop, std::move(home)), files_(loop) {}

  template <class Message>
  using Answered = Task<Result<typename Message::Value>>;
  Answered<page::OlderEvents> perform(page::OlderEvents& m);
  Answered<page::NewConversation> perform(page::NewConversation& m);
  Answered<page::Search> perform(page::Search& m);
  Answered<page::KeptSessions> perform(page::KeptSessions& m);
  Answered<page::AdoptSession> perform(page::AdoptSession& m);
  Answered<page::FindFiles> perform(page::FindFiles& m);
  Answered<page::Prompt> perform(page::Prompt& m);
  Answered<page::Withdraw> perform(page::Withdraw& m);
  Answered<page::Stop> perform(page::Stop& m);
  Answered<page::GoOn> perform(page::GoOn& m);
  Answered<page::RestartAgent> perform(page::RestartAgent& m);
  Answered<page::LookForAgents> perform(page::LookForAgents& m);
  Answered<page::Answer> perform(page::Answer& m);
  Answered<page::Reask> perform(page::Reask& m);
  Answered<page::SetConversation> perform(page::SetConversation& m);
  Answered<page::SetOption> perform(page::SetOption& m);
  Answered<page::ClearConversation> perform(page::ClearConversation& m);
  Answered<page::DeleteConversation> perform(page::DeleteConversation& m);
  Answered<page::RevokeRule> perform(page::RevokeRule& m);
  Answered<page::SearchMemories> perform(page::SearchMemories& m);
  Answered<page::ListMemories> perform(page::ListMemories& m);
  Answered<page::ForgetMemory> perform(page::ForgetMemory& m);
  Answered<page::GetUsage> perform(page::GetUsage& m);
  Answered<page::SetLimits> perform(page::SetLimits& m);
  Answered<page::GetPush> perform(page::GetPush& m);
  Answered<page::PushSubscribe> perform(page::PushSubscribe& m);
  Answered<page::PushRemove> perform(page::PushRemove& m);

 private:
  Result<page::PushValue> browsers() const;

  hub::Hub& hub_;
  agent::AgentBackend* memory_;
  PagePush push_;
  workspace::FolderCheck folders_;
  workspace::FileNames files_;
};

}  // namespace parlance::face
