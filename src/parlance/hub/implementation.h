// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: the parts of a hub. Each part owns its state, and reaches the other parts through this struct.
// Loop thread only.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/async/loop.h"
#include "parlance/hub/command_executor.h"
#include "parlance/hub/histories.h"
#include "parlance/hub/hub.h"
#include "parlance/hub/log/shared_store.h"
#include "parlance/hub/publisher.h"
#include "parlance/hub/recovery.h"
#include "parlance/hub/replication.h"
#include "parlance/hub/request_book.h"
#include "parlance/hub/room.h"
#include "parlance/hub/running_turn.h"
#include "parlance/hub/shared_settings.h"
#include "parlance/hub/spending.h"
#include "parlance/hub/takeover.h"
#include "parlance/hub/turn_runner.h"

namespace parlance::hub {

struct Hub::Implementation {
  Implementation(Hub& hub, Loop& loop, Store& store, HubSettings settings);

  std::shared_ptr<Room> find_room(std::string_view id) { return rooms.find(id); }  // null: unknown
  std::shared_ptr<AgentProvider> provider(std::string_view id) const;              // null: no such agent; held across awaits
  std::string time_text() const { return to_rfc3339(settings.wall_clock()); }
  void touch(Room& room);  // writes the row of the conversation to the store
  Task<Result<std::optional<Conversation>>> create_there(NewConversation& request, std::string session);
  Task<Result<std::shared_ptr<Room>>> make_room(NewConversation request, NativeSession session);
  void forget(const std::shared_ptr<Room>& room);  // after the removal from the store

  Hub& hub;
  Loop& loop;
  Store& store;
  SharedStore* const shared;  // the store, if other hubs share the store; otherwise null
  HubSettings settings;
  std::vector<std::shared_ptr<AgentProvider>> providers;
  Rooms rooms{*this};
  RequestBook requests{*this};
  SharedSettings shared_settings{*this};
  Spending spending{*this};
  Histories histories{*this};
  Publisher publisher{*this};
  TurnRunner turns{*this};
  CommandExecutor executor{*this};
  Recovery recovery{*this};
  Takeover takeover{*this};
  Replication replication{*this};
  std::vector<ServiceInfo> services;
  bool started = false;
  bool ending = false;
  Scope scope, closing;  // `closing`: agents that are closing
};

}  // namespace parlance::hub
