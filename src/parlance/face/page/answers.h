// SPDX-License-Identifier: Apache-2.0
// The host's answers to requests of pages that concern no single page (hub_over_page.h has the others), with the permissions of
// the page's caller. The dispatcher has checked the message's permission (permissions.h). Each answer is the message's Value.
// Loop thread only; hub and memory must outlive the object, and the object its tasks.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "parlance/agent/backend.h"
#include "parlance/face/page/mcp_port.h"
#include "parlance/hub/user_hub.h"
#include "parlance/model/connection/connections.h"
#include "parlance/protocol/page/messages.h"
#include "parlance/push/subscriptions.h"
#include "parlance/workspace/file_names.h"
#include "parlance/workspace/folder_check.h"

namespace parlance::face {

// Subscribed browsers for notifications without an open page, and the subscription key.
struct PagePush {
  push::Subscriptions* subscriptions = nullptr;
  std::string public_key{};
};

// Where the connections to models are stored (model/connection/connections.h), and the setting with precedence over them.
struct PageModels {
  std::string folder{};
  std::string fixed_by{};
};

// Known agents that need an installation or a sign-in (page::SetupValue). Empty: none.
using AgentSetups = std::function<std::vector<page::AgentSetup>()>;

class PageAnswers {
 public:
  // Requests of a null `memory`, of null subscriptions, of a null `mcp` and of an empty folder of models fail.
  PageAnswers(Loop& loop, std::string home, agent::AgentBackend* memory, PagePush push, McpPort* mcp, PageModels models,
              AgentSetups setups)
      : loop_(loop),
        memory_(memory),
        push_(std::move(push)),
        mcp_(mcp),
        models_(std::move(models)),
        setups_(std::move(setups)),
        folders_(loop, std::move(home)),
        files_(loop) {}

  template <class Message>
  using Answered = Task<Result<typename Message::Value>>;
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
  Answered<page::GetMcpServers> perform(page::GetMcpServers& m, hub::UserHub& hub);
  Answered<page::ChangeMcpServer> perform(page::ChangeMcpServer& m, hub::UserHub& hub);
  Answered<page::GetModels> perform(page::GetModels& m, hub::UserHub& hub);
  Answered<page::ListModels> perform(page::ListModels& m, hub::UserHub& hub);
  Answered<page::TestModel> perform(page::TestModel& m, hub::UserHub& hub);
  Answered<page::SaveModel> perform(page::SaveModel& m, hub::UserHub& hub);
  Answered<page::RemoveModel> perform(page::RemoveModel& m, hub::UserHub& hub);
  Answered<page::GetSetup> perform(page::GetSetup& m, hub::UserHub& hub);

 private:
  Task<std::optional<Result<hub::FilesFound>>> find_elsewhere(page::FindFiles& m, hub::UserHub& hub);
  Result<page::PushValue> browsers(const hub::UserHub& hub) const;
  Result<model::Connections> stored_models() const;

  Loop& loop_;
  agent::AgentBackend* memory_;
  PagePush push_;
  McpPort* mcp_;
  PageModels models_;
  AgentSetups setups_;
  workspace::FolderCheck folders_;
  workspace::FileNames files_;
};

}  // namespace parlance::face
