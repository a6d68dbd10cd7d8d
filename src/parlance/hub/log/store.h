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

namespace parlance::hub {

struct Ask;         // conversation/ask.h
struct Attachment;  // conversation/attachment.h
struct Commit;      // log/commit.h
struct Event;       // conversation/event.h
struct Spent;       // policy/spending.h
struct SpentOn;     // policy/spending.h
struct Stored;      // log/commit.h

// Shared by the log, the writing thread and the subscribers, without copies.
using CommitPtr = std::shared_ptr<const Commit>;

// Events first ≤ seq ≤ last of a log: complete texts, so no text crosses the borders of a part.
struct LogPart {
  std::string conversation{};
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

// A page of the parts that may contain searched words.
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

class Store {
 public:
  virtual ~Store() = default;
  virtual SharedStore* shared() { return nullptr; }  // this object, if other hubs share the store
  // The state for the start of a hub, which calls no other operation before.
  virtual Task<Result<Stored>> load() = 0;
  // Durable on return: no death of this process loses the change (the implementation defines the effect of power loss). Commits
  // take effect in call order. A failed commit has no effect, now or later.
  virtual Task<Result<void>> write(CommitPtr change) = 0;
  // `write` for callers with a commit of their own.
  Task<Result<void>> commit(Commit change);
  // Events in order, after < seq < before: the newest `limit` of them (0: all).
  virtual Task<Result<std::vector<Event>>> events(std::string conversation, std::uint64_t after, std::uint64_t before,
                                                  std::size_t limit) = 0;
  // The same, as stored text.
  virtual Task<Result<std::vector<EventText>>> event_texts(std::string conversation, std::uint64_t after, std::uint64_t before,
                                                           std::size_t limit) = 0;
  // Oldest first: the events after `after` up to `last`, limited to `most_bytes` of text, at least one event if any exists.
  virtual Task<Result<std::vector<Event>>> events_after(std::string conversation, std::uint64_t after, std::uint64_t last,
                                                        std::size_t most_bytes) = 0;
  // The parts of all logs that may contain `words` (hub/log/text_search.h), at most about `limit` in a call. A store with
  // an index leaves out parts that cannot contain them; the caller searches the rest. `before`: 0, then LogParts::before.
  virtual Task<Result<LogParts>> parts_with(std::string words, std::uint64_t before, std::size_t limit) = 0;
  virtual Task<Result<std::optional<Ask>>> ask(std::string id) = 0;  // in any state
  // With its bytes. No value: unknown, or removed with its conversation.
  virtual Task<Result<std::optional<Attachment>>> attachment(std::string id) = 0;
  // Removes events, attachments, asks and rules too. For a conversation on a runner (SessionSetup::runner) the store keeps the id of
  // the agent session until `forget_unused_session`.
  virtual Task<Result<void>> remove_conversation(std::string id) = 0;
  // The agent sessions of removed conversations on this runner, at most limits::unused_sessions. A store in memory returns an empty
  // list.
  virtual Task<Result<std::vector<std::string>>> unused_sessions(std::string) { co_return std::vector<std::string>{}; }
  // Succeeds for an unknown session.
  virtual Task<Result<void>> forget_unused_session(std::string, std::string) { co_return Result<void>{}; }
  // The sums from this day on, by day and conversation; "": all.
  virtual Task<Result<std::vector<SpentOn>>> spent(std::string since) = 0;
  // The sum of a conversation over all days; in a shared store, of all hubs.
  virtual Task<Result<Spent>> spent_in(std::string conversation) = 0;
};

}  // namespace parlance::hub
