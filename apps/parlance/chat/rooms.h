// SPDX-License-Identifier: Apache-2.0
// Where conversations of the chat are: here (own_rooms.h), or at a gateway (gateway_rooms.h). Loop thread only.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/parlance/config/settings.h"
#include "apps/parlance/run/make_agent.h"
#include "parlance/async/task.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/hub.h"
#include "parlance/memory/store.h"

namespace parlance::app {

// A conversation with its hub. A conversation of this process has a hub of its own, and the room owns the hub's store and agent.
// Conversations of a gateway share the gateway's hub.
struct Room {
  explicit Room(hub::Hub& shared) : hub(shared) {}
  Room(Loop& loop, std::unique_ptr<hub::Store> in, hub::HubSettings settings)
      : store(std::move(in)), own(std::in_place, loop, *store, std::move(settings)), hub(*own) {}
  std::string folder{};  // of its database; empty: none
  AgentHome home{};      // destroyed after the hub, because the hub holds its provider
  std::unique_ptr<hub::Store> store;
  std::optional<hub::Hub> own;
  hub::Hub& hub;
  std::string conversation{};
};

struct RoomRequest {
  std::string agent{};                      // empty: the default agent
  std::vector<std::string> command{};       // the agent's program
  std::string folder{};                     // absolute; here: existing; empty: the gateway's own choice
  std::vector<std::string> more_folders{};  // SessionSetup::folders
  hub::Mode mode = hub::Mode::default_;
  std::string model{};
  std::string session{};  // KeptSession::id: the conversation continues it; empty: none
};

// An existing conversation, newest change first.
struct RoomInfo {
  std::string id{};
  hub::Conversation conversation{};
};

class Rooms {
 protected:
  // A new conversation, or the continuation of the agent's session; empty: none.
  static Task<Result<hub::Conversation>> begin(hub::Hub& hub, hub::NewConversation request, std::string session) {
    return session.empty() ? hub.create(std::move(request)) : hub.adopt(std::move(request), std::move(session));
  }

 public:
  virtual ~Rooms() = default;

  // Call before all other functions. Errors: the gateway is unreachable or refuses.
  virtual Task<Result<void>> ready() = 0;
  // Errors: those of make_agent and of the hub.
  virtual Task<Result<std::unique_ptr<Room>>> create(RoomRequest request) = 0;
  // not_found: no such conversation; failed: open elsewhere. `command`: its agent's program from behind `--`.
  virtual Task<Result<std::unique_ptr<Room>>> open(std::string id, std::vector<std::string> command) = 0;
  virtual Task<Result<std::vector<RoomInfo>>> list() = 0;
  // The newest match in each conversation, with the id of RoomInfo. Errors: the gateway is unreachable or refuses.
  virtual Task<Result<std::vector<hub::SearchHit>>> search(std::string words) = 0;
  // Of the person's own memories: the newest, or matches for the words, best first. Errors: those of the store.
  virtual Task<Result<std::vector<memory::Entry>>> memories(std::string words, std::size_t most) = 0;
  virtual Task<Result<void>> forget(std::string memory) = 0;  // not_found
  // Use of models in all conversations of `list`. `hub`: of the present room.
  virtual Task<Result<hub::SpendingReport>> spent(hub::Hub& hub) = 0;
  // Ends its agent. A conversation without a message is deleted, because no person would continue an empty conversation.
  virtual Task<void> close(std::unique_ptr<Room> room) = 0;

  // Agents for `create` and how to get further agents, for people. Errors: those of the gateway.
  virtual Task<Result<std::string>> agents() = 0;
  // Machine of memories, editors and files; empty: this machine.
  virtual std::string elsewhere() const { return ""; }
};

}  // namespace parlance::app
