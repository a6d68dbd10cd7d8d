// SPDX-License-Identifier: Apache-2.0
// Where the hub keeps what lasts. One implementation in store/; tests bring one in memory. Called on the loop thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/conversation/command.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/log/audit.h"
#include "parlance/hub/policy/policy.h"
#include "parlance/hub/policy/spending.h"

namespace parlance::hub {

// One change, all or nothing. An ask and the event that shows it, an answer and the event that settles it travel together, so no
// crash can separate them.
struct Commit {
  std::optional<Conversation> conversation{};  // inserted or replaced; first, so that events can refer to it
  std::string events_of{};                     // conversation id of `events` and `attachments`
  std::vector<Event> events{};                 // seq goes on without a gap where the log ends
  std::vector<Attachment> attachments{};       // inserted
  std::vector<Ask> asks{};                     // inserted or replaced
  std::vector<Rule> rules{};                   // inserted
  std::vector<Rule> used_rules{};              // what they have decided is told anew, of those that are there
  std::vector<SpentOn> spent{};                // added to the sums
  std::optional<SpendingLimits> limits{};      // replaced
  std::vector<std::string> removed_rules{};
  std::vector<std::string> removed_attachments{};  // also of this change
  std::vector<CommandDone> done{};                 // left by other hubs (SharedStore)
  std::vector<AuditEntry> audit{};                 // for a SharedStore: a store of one person keeps none
  bool empty() const {
    return !conversation && events.empty() && attachments.empty() && asks.empty() && rules.empty() && used_rules.empty() &&
           spent.empty() && !limits && removed_rules.empty() && removed_attachments.empty() && done.empty() && audit.empty();
  }
};

// Shared by the log that made it, the thread that writes it and the faces that hear of it: none of them copies what is in it.
using CommitPtr = std::shared_ptr<const Commit>;

struct Stored {
  std::vector<Conversation> conversations{};  // newest change first
  std::vector<Ask> asks{};                    // open and orphaned, oldest first
  std::vector<Rule> rules{};                  // newest first: the last word of a person is tried first
  SpendingLimits limits{};
};

class SharedStore;  // shared_store.h

struct StoreCounts {
  std::uint64_t conversations = 0;
  std::uint64_t messages = 0;  // prompts and turns that answered them
  std::uint64_t tool_calls = 0;
  std::uint64_t bytes = 0;
};

class Store {
 public:
  virtual ~Store() = default;
  virtual SharedStore* shared() { return nullptr; }  // itself, where other hubs work on it too
  virtual Task<Result<Stored>> load() = 0;
  // Durable when it returns: no death of this process loses it (what power loss can do, the implementation says). Commits take
  // effect in the order of the calls. What failed has not happened, no part of it, and does not happen later.
  virtual Task<Result<void>> write(CommitPtr change) = 0;
  Task<Result<void>> commit(Commit change) { return write(std::make_shared<const Commit>(std::move(change))); }
  // Events in order, after < seq < before: the newest `limit` of them (0: all).
  virtual Task<Result<std::vector<Event>>> events(std::string conversation, std::uint64_t after, std::uint64_t before,
                                                  std::size_t limit) = 0;
  // … oldest first: those after `after` up to `last`, as many as have `most_bytes` of text together, and one at least when there is one.
  virtual Task<Result<std::vector<Event>>> events_after(std::string conversation, std::uint64_t after, std::uint64_t last,
                                                        std::size_t most_bytes) = 0;
  virtual Task<Result<std::optional<Ask>>> ask(std::string id) = 0;  // in any state
  virtual Task<Result<std::optional<Attachment>>> attachment(std::string id) = 0;
  // With its events, attachments, asks and rules. Of one on another machine (Conversation::place) its session there is written down with it …
  virtual Task<Result<void>> remove_conversation(std::string id) = 0;
  // … until that machine has been told: those of a place, at most limits::left_sessions of them. A store that keeps nothing has none.
  virtual Task<Result<std::vector<std::string>>> left_sessions(std::string) { co_return std::vector<std::string>{}; }
  virtual Task<Result<void>> forget_left_session(std::string, std::string) { co_return Result<void>{}; }
  // The sums of a day and all after it, by day and conversation; "": all there are.
  virtual Task<Result<std::vector<SpentOn>>> spent(std::string since) = 0;
  virtual Task<Result<StoreCounts>> counts() = 0;
};

}  // namespace parlance::hub
