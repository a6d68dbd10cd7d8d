// SPDX-License-Identifier: Apache-2.0
// Where conversations of the chat are: here (own_rooms.h), or at a gateway (gateway_rooms.h). Loop thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/parlance/config/settings.h"
#include "apps/parlance/run/make_agent.h"
#include "parlance/async/task.h"
#include "parlance/hub/hub.h"

namespace parlance::app {

// A conversation with the hub around it.
struct Room {
  Room(Loop& loop, std::unique_ptr<hub::Store> in, hub::HubSettings settings)
      : store(std::move(in)), hub(loop, *store, std::move(settings)) {}
  std::string folder{};  // of its database; empty: it has none
  AgentHome home{};      // goes after the hub, which has its provider
  std::unique_ptr<hub::Store> store;
  hub::Hub hub;
  std::string conversation{};
};

struct RoomWish {
  std::string agent{};                 // empty: who answers by default
  std::vector<std::string> command{};  // the agent's program
  std::string folder{};                // absolute; here: existing; empty: the gateway's own choice
  hub::Mode mode = hub::Mode::default_;
  std::string model{};
};

// One that is there, newest change first.
struct RoomInfo {
  std::string id{};
  hub::Conversation conversation{};
};

class Rooms {
 public:
  virtual ~Rooms() = default;

  // Before all else. Errors: the gateway is not there, or does not let us in.
  virtual Task<Result<void>> ready() = 0;
  // Errors: those of make_agent and of the hub.
  virtual Task<Result<std::unique_ptr<Room>>> create(RoomWish wish) = 0;
  // not_found: no such conversation; failed: it is open elsewhere. `command`: its agent's program, where that was behind --.
  virtual Task<Result<std::unique_ptr<Room>>> open(std::string id, std::vector<std::string> command) = 0;
  virtual Task<Result<std::vector<RoomInfo>>> list() = 0;
  // Ends its agent. Nobody would want to go on with one in which nothing was said: that is gone then.
  virtual Task<void> close(std::unique_ptr<Room> room) = 0;

  virtual std::string agent_names() const = 0;  // that `create` takes, for people
  // Memories, editors and files are there; empty: they are here.
  virtual std::string elsewhere() const { return ""; }
};

}  // namespace parlance::app
