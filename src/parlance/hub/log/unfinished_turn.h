// SPDX-License-Identifier: Apache-2.0
// Recovery after the end of a process without an orderly end: the open parts of a log's last turn, and abandoned conversations.
// Loop thread only.
#pragma once

#include <chrono>
#include <cstdint>
#include <set>
#include <string>

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/conversation/turn_so_far.h"
#include "parlance/hub/log/store.h"

namespace parlance::hub {

struct EventBody;  // conversation/event.h

struct UnfinishedTurn {
  std::set<std::string> calls{};
  bool thinking = false;
  std::chrono::milliseconds duration{};  // from the begin of the turn to its last event

  void see(const EventBody& body);  // adds the next event
};

// Removes conversations of single program requests (SessionSetup::via) from the store and from the loaded state.
Task<Result<void>> remove_abandoned(Store& store, Stored& stored);

// The newest start of a call, merged with its updates; an empty id: not found. Reads backwards.
Task<Result<event::ToolStart>> newest_start(Store& store, std::string conversation, std::uint64_t last, std::string call);

// The newest message of a person; an empty turn: not found. Reads backwards.
Task<Result<event::UserMessage>> newest_message(Store& store, std::string conversation, std::uint64_t last);

// The newest message of a person, if limits of model use held its turn and all turns since: no agent has it. An empty turn: none.
Task<Result<event::UserMessage>> held_message(Store& store, std::string conversation, std::uint64_t last);

// Reads a turn of any length in parts. `last`: number of the log's last event.
Task<Result<UnfinishedTurn>> unfinished_turn(Store& store, std::string conversation, std::uint64_t last);
// The state of the log's last turn, for an agent that continues the turn.
Task<Result<TurnSoFar>> turn_so_far(Store& store, std::string conversation, std::uint64_t last);

}  // namespace parlance::hub
