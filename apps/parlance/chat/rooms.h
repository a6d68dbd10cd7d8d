// Where conversations of the chat are kept: a folder each, so that chats in several terminals do not wait for each other, and each can be
// taken up again later. Loop thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/parlance/chat/offered_editor.h"
#include "apps/parlance/config/settings.h"
#include "apps/parlance/run/make_agent.h"
#include "parlance/async/worker.h"
#include "parlance/hub/hub.h"
#include "parlance/store/hub/hub_sqlite.h"

namespace parlance::app {

// A conversation with the hub around it.
struct Room {
  Room(Loop& loop, std::string state, hub::Editor* editor);
  std::string folder;  // of its database
  AgentHome home{};    // goes after the hub, which has its provider
  store::HubSqlite store;
  hub::Hub hub;
  std::string conversation{};
};

struct RoomWish {
  std::string agent{};
  std::vector<std::string> command{};  // the agent's program
  std::string folder{};                // absolute, existing
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
  // `editor`: beside every conversation, or null; it outlives the rooms.
  Rooms(Loop& loop, const Settings& settings, hub::Editor* editor);

  // Errors: those of make_agent and of the hub.
  Task<Result<std::unique_ptr<Room>>> create(RoomWish wish);
  // not_found: no such conversation; failed: it is open elsewhere. `command`: its agent's program, where that was behind --.
  Task<Result<std::unique_ptr<Room>>> open(std::string id, std::vector<std::string> command);
  Task<std::vector<RoomInfo>> list();
  // Ends its agent. Nobody would want to go on with one in which nothing was said: that is gone then.
  Task<void> close(std::unique_ptr<Room> room);

 private:
  Result<std::unique_ptr<Room>> make(const std::string& id, const std::string& agent, const std::vector<std::string>& command);

  Loop& loop_;
  const Settings& settings_;
  hub::Editor* editor_;
  std::optional<OfferedEditor> offered_;  // where there is an editor
  std::string root_;
  Worker worker_;
};

}  // namespace parlance::app
