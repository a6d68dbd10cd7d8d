// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: conversations and requests of other hubs, from a shared store. Loop thread only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "parlance/hub/log/shared_store.h"
#include "parlance/hub/runtime/conversation_runtime.h"
#include "parlance/hub/runtime/publisher.h"

namespace parlance::hub {

class Replication {
 public:
  using UnfinishedTakeover = std::function<void(const std::shared_ptr<ConversationRuntime>& runtime)>;
  // unfinished_takeover: after a failed takeover the row names this hub as its owner, and no other hub can take it.
  Replication(Core& core, ConversationRuntimes& runtimes, Publisher& publisher, UnfinishedTakeover unfinished_takeover)
      : core_(core), runtimes_(runtimes), publisher_(publisher), unfinished_takeover_(std::move(unfinished_takeover)) {}

  // Applies the row and the requests of a conversation of another hub, and adds an unknown conversation. While the owner
  // changes, the update is only noted for a later read. Ignores older updates, and updates of own conversations.
  Task<void> apply(ReplicatedConversation now);
  // Reads the conversation from the store and applies the result. A conversation without a row counts as removed. Errors: the
  // store's.
  Task<Result<void>> reload(std::shared_ptr<ConversationRuntime> runtime);
  std::vector<std::string> apply_row(ConversationRuntime& runtime,
                                     ReplicatedConversation now);  // returns the asks that no longer wait
  Task<void> publish_settled(std::shared_ptr<ConversationRuntime> runtime,
                             std::vector<std::string> asks);  // repeats failed reads later
  // Reads a conversation again: its updates were skipped during a change of the owner, or its row is about to change.
  void reload_later(const std::string& conversation) { skipped_.insert(conversation); }
  void owner_changed(const std::string& conversation);  // reads skipped updates now
  Task<void> read_skipped();  // except conversations with a changing owner; the next update repeats a failed read

 private:
  Core& core_;
  ConversationRuntimes& runtimes_;
  Publisher& publisher_;
  UnfinishedTakeover unfinished_takeover_;
  std::set<std::string, std::less<>> skipped_;                               // conversations with unread updates
  std::map<std::string, std::shared_ptr<ConversationRuntime>> unread_asks_;  // settled, with a failed read
  TimePoint next_read_skipped_{};
};

}  // namespace parlance::hub
