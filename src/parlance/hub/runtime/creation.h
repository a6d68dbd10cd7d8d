// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: creates conversations, new or from a session of an agent. A shared store may create them at
// another hub. Loop thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parlance/hub/runtime/command_executor.h"
#include "parlance/hub/runtime/replication.h"
#include "parlance/hub/runtime/turn_runner.h"

namespace parlance::hub {

struct NewConversation;  // conversation/new_conversation.h

class Creation {
 public:
  Creation(Core& core, ConversationRuntimes& runtimes, Replication& replication, TurnRunner& turns, CommandExecutor& executor)
      : core_(core), runtimes_(runtimes), replication_(replication), turns_(turns), executor_(executor) {}

  // Errors: not_found (no such agent), invalid_params (a folder), errors of the store.
  Task<Result<Conversation>> create(NewConversation request);
  // Returns the conversation of an agent's session: an existing conversation, or a new one with the session's messages. Continues
  // after the end of the caller, because an unfinished replay blocks the conversation. Errors: as create, as the agent, not_found
  // (a conversation of another user).
  Task<Result<Conversation>> adopt(NewConversation request, std::string agent_session);
  // The sessions of an agent in a folder that no conversation continues. Errors: not_found (no such agent), errors of the agent.
  Task<Result<std::vector<KeptSession>>> kept_sessions(std::string agent, std::string folder);

 private:
  // Creates or adopts a conversation through a store that is itself a gateway (SharedStore::create_at_owner), and adds its row
  // here. No value: this hub creates the conversation. `session`: the agent session to adopt; empty: a new conversation.
  Task<Result<std::optional<Conversation>>> create_at_owner(NewConversation& request, std::string session);
  // Creates a conversation of this hub with its imported history, and completes after the commit. With a session, the conversation
  // is hidden (via_adoption) and its runtime is marked as replaying, until the caller has replayed the session. Errors: not_found
  // (no such agent), invalid_params (a folder), the store's; then no conversation remains.
  Task<Result<std::shared_ptr<ConversationRuntime>>> make_runtime(NewConversation request, AgentSession session);
  // The conversation that continues the session, after the end of a running adoption here. No value: none. Errors: not_found (of
  // another user), overloaded (another hub adopts the session now).
  Task<Result<std::optional<Conversation>>> conversation_of(const NewConversation& request, std::string_view agent_session);
  // Errors: overloaded (another hub has created a conversation of this session at the same time), those of the store.
  Task<Result<void>> check_alone(const Conversation& conversation);
  Task<Result<Conversation>> adopt_session(NewConversation request, std::string agent_session);

  Core& core_;
  ConversationRuntimes& runtimes_;
  Replication& replication_;
  TurnRunner& turns_;
  CommandExecutor& executor_;
};

}  // namespace parlance::hub
