// SPDX-License-Identifier: Apache-2.0
// Conversations of terminals without a gateway: a hub's folder each, so that several chats do not wait for each other. The
// gateway takes them into its store at its start, and a chat without a gateway takes a conversation out of that store. Each
// program then shows all conversations. Blocking; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/log/log_reader.h"
#include "parlance/store/hub/hub_usage.h"

namespace parlance::app {

struct StoredChat {
  hub::Conversation conversation{};
  std::string folder{};  // of its hub; the state folder: in the gateway's store
};

// The folder of a new chat. `id`: of its conversation.
std::string chat_folder(const std::string& state, const std::string& id);

// The folders of all hubs of this machine: the state folder, and one for each chat of a terminal.
std::vector<std::string> hub_folders(const std::string& state);

// Newest change first, without empty conversations. Of the gateway's store: the newest conversations of this machine's person.
std::vector<StoredChat> stored_chats(const std::string& state);

// The newest match of the words in each conversation.
std::vector<hub::SearchHit> search_chats(const std::string& state, const std::string& words);

// The use of models in all conversations, by day and conversation, from the day `since` on; "": all days. An unreadable chat is
// left out. Errors: those of store::read_usage for the gateway's store.
Result<store::Usage> usage_of_all(const std::string& state, const std::string& since);

// Moves a conversation out of the gateway's store into its own folder. Errors: failed (a gateway works with the store).
Result<void> take_out_chat(const std::string& state, const std::string& id);

// Moves chats into the gateway's store, before its start, and returns their number. A chat that runs stays, and a chat with an
// agent that only its command line names. A failure is logged, and its chat stays.
std::size_t take_in_chats(const std::string& state);

}  // namespace parlance::app
