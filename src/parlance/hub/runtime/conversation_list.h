// SPDX-License-Identifier: Apache-2.0
// The list of conversations, in pages from the newest change on. Loop thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace parlance::hub {

class ConversationRuntimes;  // runtime/conversation_runtime.h
struct Conversation;         // conversation/conversation.h
struct ConversationList;     // runtime/snapshot.h

// A page of the list.
struct Listing {
  // Decides by id, owner and access: other fields may be empty. Null: all.
  std::function<bool(const Conversation& conversation)> among{};
  std::string before{};  // ConversationList::older of the page before; empty: from the newest on
  std::size_t most = SIZE_MAX;
};

ConversationList list(const ConversationRuntimes& runtimes, const Listing& listing);

// The active conversations before the cursor `older`: with work, an open request or a waiting prompt.
std::vector<Conversation> active_before(const ConversationRuntimes& runtimes, const Listing& listing, std::string_view older);

// The ids of the sessions on a runner that a conversation needs.
std::vector<std::string> sessions_at(const ConversationRuntimes& runtimes, std::string_view runner);

}  // namespace parlance::hub
