// SPDX-License-Identifier: Apache-2.0
// The hub's persistent storage. Implementations are in store/; tests use one in memory. Called on the loop thread only.
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
#include "parlance/hub/conversation/packed.h"
#include "parlance/hub/policy/policy.h"
#include "parlance/hub/policy/spending.h"
#include "parlance/hub/team/audit.h"

namespace parlance::hub {

// One atomic change. An ask and its event, or an answer and its event, are part of the same commit, so no crash can separate
// them.
struct Commit {
  std::optional<Conversation> conversation{};  // inserted or replaced; first, because events refer to it
  std::string events_of{};                     // conversation id of `events` and `attachments`
  std::vector<Event> events{};                 // consecutive numbers from the end of the log
  std::vector<Attachment> attachments{};       // inserted
  std::vector<Ask> asks{};                     // inserted or replaced
  std::vector<Rule> rules{};                   // inserted
  std::vector<Rule> used_rules{};              // updates the use counters of existing rules
  std::vector<SpentOn> spent{};                // added to the sums
  std::optional<SpendingLimits> limits{};      // replaces the limits
  std::vector<std::string> removed_rules{};
  std::vector<std::string> removed_attachments{};  // also attachments of this change
  std::vector<CommandDone> done{};                 // commands of other hubs (SharedStore)
  std::vector<AuditEntry> audit{};                 // for a SharedStore: a single-user store has no audit
  bool empty() const {
    return !conversation && events.empty() && attachments.empty() && asks.empty() && rules.empty() && used_rules.empty() &&
           spent.empty() && !limits && removed_rules.empty() && removed_attachments.empty() && done.empty() && audit.empty();
  }
};

// Shared by the log, the writing thread and the subscribers, without copies.
using CommitPtr = std::shared_ptr<const Commit>;

struct Stored {
  std::vector<PackedConversation> conversations{};  // in any order
  std::vector<Ask> asks{};                          // open and orphaned, oldest first
  std::vector<Rule> rules{};                        // newest first: evaluation starts with the latest decision of a person
  SpendingLimits limits{};
};

// Events first ≤ seq ≤ last of a log: complete texts, so no text crosses the borders of a part.
struct LogPart {
  std::string conversation{};
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

struct LogParts {
  std::vector<LogPart> parts{};  // newest first
  std::uint64_t before = 0;      // for the next call; 0: this was the last page
};

// A stored event for readers that forward its text: the whole JSON of the event, number and time included.
struct EventText {
  std::uint64_t seq = 0;
  std::string event_json{};
  friend bool operator==(const EventText&, const EventText&) = default;
};

class SharedStore;  // shared_store.h

struct StoreCounts {
  std::uint64_t conversations = 0;
  std::uint64_t messages = 0;  // prompts and turns with answers
  std::uint64_t tool_calls = 0;
  std::uint64_t bytes = 0;
};

class Store {
 public:
  virtual ~Store() = default;
  virtual SharedStore* shared() { return nullptr; }  // this object, if other hubs share the store
  virtual Task<Result<Stored>> load() = 0;
  // Durable on return: no death of this process loses the change (the implementation defines the effect of power loss). Commits
  // take effect in call order. A failed commit has no effect, now or later.
  virtual Task<Result<void>> write(CommitPtr change) = 0;
  Task<Result<void>> commit(Commit change) { return write(std::make_shared<const Commit>(std::move(change))); }
  // Events in order, after < seq < before: the newest `limit` of them (0: all).
  virtual Task<Result<std::vector<Event>>> events(std::string conversation, std::uint64_t after, std::uint64_t before,
                                                  std::size_t limit) = 0;
  // … as stored text.
  virtual Task<Result<std::vector<EventText>>> event_texts(std::string conversation, std::uint64_t after, std::uint64_t before,
                                                           std::size_t limit) = 0;
  // … as events, oldest first: after `after` up to `last`, limited to `most_bytes` of text, at least one event if any exists.
  virtual Task<Result<std::vector<Event>>> events_after(std::string conversation, std::uint64_t after, std::uint64_t last,
                                                        std::size_t most_bytes) = 0;
  // The parts of all logs that may contain `words` (hub/conversation/text_search.h), at most about `limit` in a call. A store with
  // an index leaves out parts that cannot contain them; the caller searches the rest. `before`: 0, then LogParts::before.
  virtual Task<Result<LogParts>> parts_with(std::string words, std::uint64_t before, std::size_t limit) = 0;
  virtual Task<Result<std::optional<Ask>>> ask(std::string id) = 0;  // in any state
  virtual Task<Result<std::optional<Attachment>>> attachment(std::string id) = 0;
  // Removes events, attachments, asks and rules too. For a conversation on a runner (Conversation::place) the store records its
  // agent session …
  virtual Task<Result<void>> remove_conversation(std::string id) = 0;
  // … until the runner has deleted it: sessions of a runner, at most limits::left_sessions. A store in memory returns an empty
  // list.
  virtual Task<Result<std::vector<std::string>>> left_sessions(std::string) { co_return std::vector<std::string>{}; }
  virtual Task<Result<void>> forget_left_session(std::string, std::string) { co_return Result<void>{}; }
  // The sums from this day on, by day and conversation; "": all.
  virtual Task<Result<std::vector<SpentOn>>> spent(std::string since) = 0;
  virtual Task<Result<StoreCounts>> counts() = 0;
};

}  // namespace parlance::hub
