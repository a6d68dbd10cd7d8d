// SPDX-License-Identifier: Apache-2.0
// What the last turn of a log left open, and conversations that nobody waits for any more: found when a program starts that did not end
// well. Loop thread only.
#pragma once

#include <chrono>
#include <cstdint>
#include <set>
#include <string>

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/hub/conversation/turn_so_far.h"
#include "parlance/hub/log/store.h"

namespace parlance::hub {

struct LeftOpen {
  std::set<std::string> calls{};
  bool thinking = false;
  std::chrono::milliseconds duration{};  // from the turn's beginning to its last event

  void see(const EventBody& body);  // the next one
};

// What programs began for a request of their own (Conversation::via) goes from the store, and from what was loaded.
Task<Result<void>> remove_left_behind(Store& store, Stored& stored);

// The newest start of a call, with what became known of it since; an empty id: there is none. Reads backwards.
Task<Result<event::ToolStart>> newest_start(Store& store, std::string conversation, std::uint64_t last, std::string call);

// The newest message of a person; an empty turn: there is none. Reads backwards.
Task<Result<event::UserMessage>> newest_message(Store& store, std::string conversation, std::uint64_t last);

// Reads the turn in parts, however long it is. `last`: number of the log's last event.
Task<Result<LeftOpen>> left_open(Store& store, std::string conversation, std::uint64_t last);
// … and what it had come to, for an agent that goes on with it.
Task<Result<TurnSoFar>> turn_so_far(Store& store, std::string conversation, std::uint64_t last);

}  // namespace parlance::hub
