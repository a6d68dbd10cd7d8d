// SPDX-License-Identifier: Apache-2.0
// Why is this memory there? The conversation and the event that made it, from the hub's database, which may be in use meanwhile.
// Blocking; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/memory/store.h"

namespace parlance::store {

struct MemoryOrigin {
  bool conversation_found = false;  // false: it was deleted, or the memory came from none
  std::string title{};
  std::string agent{};
  bool event_found = false;
  std::string event_time{};
  std::string event_kind{};    // "user_message", …
  std::string event_text{};    // what was said or shown; "" where the event has no text
  std::string user_message{};  // the message of the person that led to it, where the event is not one itself
};

// An error when the hub's database is there and cannot be read; where there is none, nothing was found.
Result<MemoryOrigin> find_origin(const std::string& state_folder, const memory::Source& source);

// What a conversation's row tells of it, and one of its events after the other, the newest first; true: no more are wanted. `wanted`: the number of
// the event that made the memory.
void tell_conversation(MemoryOrigin& origin, std::string_view body);
bool tell_event(MemoryOrigin& origin, std::uint64_t wanted, std::uint64_t seq, std::string_view body);

}  // namespace parlance::store
