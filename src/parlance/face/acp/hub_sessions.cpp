// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/acp/hub_sessions.h"

#include <algorithm>
#include <utility>

#include "parlance/codec/json/typed.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/runtime/snapshot.h"
#include "parlance/protocol/acp/gateway.h"

namespace parlance::face {

std::string agent_in(const wire::Raw& meta) {
  const auto read = json::from_text<acp::SessionRequestMeta>(meta.json);
  return read && read->parlance ? read->parlance->agent.value_or("") : "";
}

std::vector<std::string> names_of(const std::vector<acp::McpServer>& servers) {
  std::vector<std::string> names;
  for (const acp::McpServer& server : servers) names.push_back(server.name);
  return names;
}

acp::SessionInfo acp_session_info(const std::string& id, const hub::Conversation& conversation) {
  acp::SessionInfo info{.session_id = id, .cwd = conversation.folder, .updated_at = conversation.updated_at};
  if (!conversation.folders.empty()) info.additional_directories = conversation.folders;
  if (!conversation.title.empty()) info.title = conversation.title;
  info.meta.json = json::to_text(acp::SessionWordMeta{.parlance = acp::SessionWord{.agent = conversation.agent}});
  return info;
}

hub::AgentInfo HubSessions::agent() const {
  const std::vector<hub::AgentInfo> all = hub_.agents();
  const auto named = std::ranges::find(all, agent_, &hub::AgentInfo::id);
  if (named != all.end()) return *named;
  return all.empty() ? hub::AgentInfo{} : all.front();
}

AcpSessionPtr HubSessions::share(const std::string& id, const std::string& conversation) {
  std::erase_if(open_, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<AcpSession>& known = open_[id];
  AcpSessionPtr session = known.lock();
  if (!session) {
    session =
        std::make_shared<AcpSession>(AcpSession{.id = id, .hub = hub_, .conversation = conversation, .takes_servers = false});
    known = session;
  }
  return session;
}

Task<Result<AcpSessionPtr>> HubSessions::create(AcpSessionRequest request) {
  PARLANCE_CO_TRY(made, co_await hub_.create({.agent = request.agent.empty() ? agent().id : request.agent,
                                              .folder = std::move(request.folder),
                                              .folders = std::move(request.folders),
                                              .mode = request.mode.value_or(hub::Mode::default_)}));
  co_return share(made.id, made.id);
}

// Finds a conversation by its id, or by its agent session's id. Conversations of single program requests are no sessions.
const hub::Conversation* HubSessions::find(const std::string& id) const {
  const hub::Conversation* found = hub_.find(id);
  if (found == nullptr && !id.empty()) {
    const std::vector<hub::Conversation> all = hub_.snapshot().conversations;
    const auto loaded =
        std::ranges::find(all, id, [](const hub::Conversation& conversation) { return conversation.agent_session.id; });
    if (loaded != all.end()) found = hub_.find(loaded->id);
  }
  return found != nullptr && !found->via ? found : nullptr;
}

// Adopts a session of the agent alone (for example of Claude Code in a terminal) as a conversation: the client gets its history
// like any other.
Task<Result<std::string>> HubSessions::adopt(const std::string& id, AcpSessionRequest request) {
  const auto made = co_await hub_.adopt({.agent = request.agent.empty() ? agent().id : request.agent,
                                         .folder = std::move(request.folder),
                                         .folders = std::move(request.folders),
                                         .mode = request.mode.value_or(hub::Mode::default_)},
                                        id);
  if (made) co_return made->id;
  switch (made.error().code) {
    case Errc::not_found:
    case Errc::unknown_method:  // the agent cannot report the history
    case Errc::invalid_params: co_return fail(Errc::not_found, made.error().message);
    default: co_return std::unexpected(made.error());
  }
}

Task<Result<AcpSessionPtr>> HubSessions::open(std::string id, AcpSessionRequest request) {
  const hub::Conversation* found = find(id);
  if (found == nullptr && co_await hub_.look_for(id)) found = find(id);
  if (found == nullptr) {
    PARLANCE_CO_TRY(adopted, co_await adopt(id, std::move(request)));
    co_return share(id, adopted);
  }
  const std::string conversation = found->id;
  if (request.mode && *request.mode != found->mode)
    PARLANCE_CO_TRY_DO(co_await hub_.submit(conversation, hub::ChangeSettings{{.mode = request.mode}}));
  co_return share(id, conversation);
}

Task<Result<std::vector<acp::SessionInfo>>> HubSessions::list(std::optional<std::string> folder) {
  std::vector<acp::SessionInfo> sessions;
  for (const hub::Conversation& conversation : hub_.snapshot().conversations)
    if (!conversation.via && (!folder || conversation.folder == *folder))
      sessions.push_back(acp_session_info(conversation.id, conversation));
  co_return sessions;
}

Task<Result<void>> HubSessions::remove(std::string id) {
  const hub::Conversation* const found = find(id);
  if (found == nullptr) co_return fail(Errc::not_found, "Resource not found: " + id);
  co_return co_await hub_.submit(found->id, hub::RemoveConversation{});
}

// Pages and other clients may still use the conversation. AcpAttachment::cancel has stopped this client's turns.
Task<void> HubSessions::closed(AcpSessionPtr) { co_return; }

}  // namespace parlance::face
