// SPDX-License-Identifier: Apache-2.0
// Follows the whole hub for a frontend: call `Hub::snapshot()`, then read every later change. Covers conversations and their
// state, asks, rules, agents, services; a Follower (follower.h) reads the events of a conversation. Loop thread only.
//
// The queue is bounded (limits::watcher_changes, watcher_bytes). A slow frontend loses its queue and receives `Resync` once: the
// frontend starts again with a snapshot, like after a reconnect.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/async/task.h"

namespace parlance::hub {

namespace change {  // runtime/change.h
struct ConversationChanged;
struct ConversationRemoved;
struct AskChanged;
struct RuleAdded;
struct RuleRemoved;
struct AgentChanged;
struct ServiceChanged;
struct Resync;
}  // namespace change

using Change = std::variant<change::ConversationChanged, change::ConversationRemoved, change::AskChanged, change::RuleAdded,
                            change::RuleRemoved, change::AgentChanged, change::ServiceChanged, change::Resync>;
// One object for all watchers: ten thousand frontends share it, and its address can key a cache of its JSON.
using ChangePtr = std::shared_ptr<const Change>;

// Maps a change to the watcher's version: the change itself, a replacement, or null for no change. Resync restarts the watcher.
using ChangeFilter = std::function<ChangePtr(const ChangePtr& change)>;

class Watcher;

// All watchers of a hub. Shared with the hub; may outlive the hub.
class Watchers {
 public:
  // Both concern the watchers at present. Without a watcher, the hub need not build changes.
  bool empty() const { return all_.empty(); }
  std::size_t count() const { return all_.size(); }
  std::uint64_t resyncs() const { return resyncs_; }  // number so far
  // Offers the change to each watcher. `bytes`: the weight of its contents, against limits::watcher_bytes.
  void publish(const ChangePtr& change, std::size_t bytes = 0);

 private:
  friend class Watcher;
  std::vector<Watcher*> all_;
  std::uint64_t resyncs_ = 0;
};

class Watcher {
 public:
  // `wake` is set on changes too (Hub::watch). An empty change filter passes all changes.
  Watcher(std::shared_ptr<Watchers> all, Loop& loop, Signal* wake, ChangeFilter filter = {});
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // All queued changes, at least one; waits for the first. One caller at a time.
  Task<std::vector<ChangePtr>> next();

  // Changes that `next` would return at once, for a frontend with several sources. 0: `next` would wait.
  std::size_t queued() const { return queue_.size(); }

 private:
  friend class Watchers;
  // Applies the filter; a Resync of the filter empties the queue.
  void take(const ChangePtr& change, std::size_t bytes);
  // Appends the change and wakes the reader; overflows at the limits. Drops the change while a Resync waits.
  void push(ChangePtr change, std::size_t bytes);
  // Replaces the queue by one Resync.
  void overflow();
  // Wakes `next` and the signal of the constructor.
  void notify();

  std::shared_ptr<Watchers> all_;
  std::vector<ChangePtr> queue_;
  std::size_t bytes_ = 0;
  bool lost_ = false;  // Resync is queued; further changes are dropped until its delivery
  Signal changed_;
  Signal* wake_;
  ChangeFilter filter_;
};

}  // namespace parlance::hub
