// SPDX-License-Identifier: Apache-2.0
// Reads of stored logs with bounds on memory: the newest events of a conversation, and the search of all conversations. Loop thread
// only; the store must outlive the task.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/hub/log/store.h"

namespace parlance::hub {

struct Conversation;  // conversation/conversation.h

// The newest events with after < seq < before, oldest first. Ends at `most` events or a size limit, but returns at least one event.
// Item: Event, or EventText for the stored text. Errors: those of the store.
template <class Item>
Task<Result<std::vector<Item>>> newest_events(Store& store, std::string conversation, std::uint64_t after, std::uint64_t before,
                                              std::size_t most);

struct SearchHit {
  std::string conversation{};
  std::uint64_t seq = 0;  // number of the text's first event
  std::string snippet{};  // one line around the match
};

// The committed row of a conversation. No value: the search leaves the conversation out.
using SearchedRow = std::function<std::optional<Conversation>(const std::string& conversation)>;

// The newest match of each conversation, newest change first, limits::searched_conversations at most. The store knows no
// permissions: `row_of` decides before the search reads a log. Errors: invalid_params (no words), those of the store.
Task<Result<std::vector<SearchHit>>> search_logs(Store& store, std::string words, SearchedRow row_of);

}  // namespace parlance::hub
