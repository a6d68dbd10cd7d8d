// How a face follows the whole hub (one that follows a single conversation takes a Follower: follower.h): take `Hub::snapshot()`, then every change after it. One watcher for each face; conversations are
// opened on it with a cursor, and their events then arrive among the other changes: no gap, none twice. Loop thread only.
//
// The queue is bounded (limits::watcher_changes, watcher_bytes). A face that does not keep up loses the queue and its open
// conversations and is told `Resync` once: it starts again with a snapshot, like a face that reconnects.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "async/channel.h"
#include "async/task.h"
#include "base/result.h"
#include "hub/ask.h"
#include "hub/conversation.h"
#include "hub/event.h"
#include "hub/policy.h"

namespace parlance::hub {

namespace change {
struct ConversationChanged {
  Conversation conversation{};
};  // new or changed
struct ConversationRemoved {
  std::string id{};
};
struct EventsAppended {
  std::string conversation{};
  std::span<const Event> events{};        // of what was written, …
  std::shared_ptr<const void> written{};  // … which stays as long as this
};
struct AskChanged {
  Ask ask{};
};
struct RuleAdded {
  Rule rule{};
};
struct RuleRemoved {
  std::string id{};
};
struct AgentChanged {
  AgentInfo agent{};
};
struct ServiceChanged {
  ServiceInfo service{};
};
struct Resync {};
}  // namespace change

using Change = std::variant<change::ConversationChanged, change::ConversationRemoved, change::EventsAppended, change::AskChanged,
                            change::RuleAdded, change::RuleRemoved, change::AgentChanged, change::ServiceChanged, change::Resync>;
// One object for all watchers: ten thousand faces share it, and its address can key a cache of its JSON.
using ChangePtr = std::shared_ptr<const Change>;

struct EventPage {
  std::vector<Event> events{};
  std::uint64_t first_seq = 0;  // of `events`; 0 when there are none
  std::uint64_t last_seq = 0;   // of the conversation: live events go on from here
};

class Hub;

class Watcher {
 public:
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // All that is queued, at least one; waits for the first. One caller at a time.
  Task<std::vector<ChangePtr>> next();

  // At most the newest `limit` (0: limits::page_events) events after the cursor. Live events from last_seq + 1 on follow through
  // `next` as soon as this has returned, never before. Opening again restarts it.
  // (The watcher must outlive the task.)
  Task<Result<EventPage>> open(std::string conversation, std::uint64_t after, std::size_t limit);
  void close(std::string_view conversation);

  std::size_t queued() const { return queue_.size(); }

 private:
  friend class Hub;
  Watcher(Hub& hub, Loop& loop);
  struct Open {
    std::string conversation;
    std::uint64_t from = 0;  // events above it are sent
    std::uint64_t generation = 0;
    bool reading = true;  // the page is not out yet: hold live events back
    std::vector<ChangePtr> held;
  };
  void push(ChangePtr change, std::size_t bytes);
  void push_events(const std::string& conversation, const ChangePtr& events, std::size_t bytes);
  Open* find(std::string_view conversation);
  void overflow();

  Hub* hub_;  // null once the hub is gone
  std::vector<ChangePtr> queue_;
  std::size_t bytes_ = 0;
  bool lost_ = false;  // Resync is queued; nothing else is until it has been taken
  std::uint64_t generations_ = 0;
  std::vector<Open> open_;
  Signal changed_;
};

}  // namespace parlance::hub
