// SPDX-License-Identifier: Apache-2.0
// How a face follows the whole hub: take `Hub::snapshot()`, then every change after it. Which conversations there are and how they stand,
// asks, rules, agents, services; what is said in a conversation is followed with a Follower (follower.h). Loop thread only.
//
// The queue is bounded (limits::watcher_changes, watcher_bytes). A face that does not keep up loses the queue and is told `Resync` once: it
// starts again with a snapshot, like a face that reconnects.
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
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/policy/policy.h"

namespace parlance::hub {

namespace change {
struct ConversationChanged {
  Conversation conversation{};
  std::optional<Access> access_before{};  // it is another now
};  // new or changed
struct ConversationRemoved {
  std::string id{};
  Conversation last{};  // as it was: only of whom and for whom
};
struct AskChanged {
  Ask ask{};
};
struct RuleAdded {
  Rule rule{};
};
struct RuleRemoved {
  std::string id{};
  std::optional<std::string> user{};  // Rule::user
};
struct AgentChanged {
  AgentInfo agent{};
};
struct ServiceChanged {
  ServiceInfo service{};
};
struct Resync {};
}  // namespace change

using Change = std::variant<change::ConversationChanged, change::ConversationRemoved, change::AskChanged, change::RuleAdded,
                            change::RuleRemoved, change::AgentChanged, change::ServiceChanged, change::Resync>;
// One object for all watchers: ten thousand faces share it, and its address can key a cache of its JSON.
using ChangePtr = std::shared_ptr<const Change>;

// What of a change a watcher hears: the change itself, one in its place, or null, nothing. Resync makes it begin anew.
using Sieve = std::function<ChangePtr(const ChangePtr& change)>;

class Watcher;

// All that watch a hub. They share it with the hub, and may be there longer.
class Watchers {
 public:
  bool empty() const { return all_.empty(); }
  std::size_t count() const { return all_.size(); }
  std::uint64_t resyncs() const { return resyncs_; }  // told so far
  void tell(const ChangePtr& change, std::size_t bytes = 0);

 private:
  friend class Watcher;
  std::vector<Watcher*> all_;
  std::uint64_t resyncs_ = 0;
};

class Watcher {
 public:
  // `wake` is told too when there is something (Hub::watch). An empty sieve lets all through.
  Watcher(std::shared_ptr<Watchers> all, Loop& loop, Signal* wake, Sieve sieve = {});
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // All that is queued, at least one; waits for the first. One caller at a time.
  Task<std::vector<ChangePtr>> next();

  std::size_t queued() const { return queue_.size(); }

 private:
  friend class Watchers;
  void hear(const ChangePtr& change, std::size_t bytes);
  void push(ChangePtr change, std::size_t bytes);
  void overflow();
  void tell();

  std::shared_ptr<Watchers> all_;
  std::vector<ChangePtr> queue_;
  std::size_t bytes_ = 0;
  bool lost_ = false;  // Resync is queued; nothing else is until it has been taken
  Signal changed_;
  Signal* wake_;
  Sieve sieve_;
};

}  // namespace parlance::hub
