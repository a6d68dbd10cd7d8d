// SPDX-License-Identifier: Apache-2.0
// The state that a conversation's writer shares with its followers: the end of the log and its number. ConversationRuntime (the
// writer) and followers (the readers) do not know each other; both own the object. Loop thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "parlance/async/loop.h"
#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/hub/log/event_tail.h"
#include "parlance/hub/log/store.h"

namespace parlance::hub {

struct Conversation;  // conversation/conversation.h

// Bytes per read from the store, for a follower outside the tail.
inline constexpr std::size_t follower_read_bytes = 1 << 20;

class ReplicatedLog {
 public:
  // A follower. Must leave before its destruction.
  class Listener {
   public:
    virtual void notify() = 0;  // new events, or the end
    // A new row, after the events with the same commit. Never null.
    virtual void notify(std::shared_ptr<const Conversation> row) = 0;

   protected:
    ~Listener() = default;
  };

  ReplicatedLog(Loop& loop, Store& store, std::string conversation, std::uint64_t last_seq)
      : store_(store), conversation_(std::move(conversation)), last_seq_(last_seq), tail_(loop) {}
  ReplicatedLog(const ReplicatedLog&) = delete;
  ReplicatedLog& operator=(const ReplicatedLog&) = delete;

  // ---- for the conversation runtime
  void publish(const CommitPtr& written, std::size_t bytes);  // events with `bytes` bytes of text
  // Passes a committed row to all followers; the object keeps no copy.
  void publish(const std::shared_ptr<const Conversation>& row);
  void reach(std::uint64_t last_seq);  // another hub wrote up to `last_seq`: followers read the store
  void end();                          // the conversation ends
  // Without followers the hub builds no rows, and the tail stays empty.
  bool has_listeners() const { return !listeners_.empty(); }

  // ---- for followers
  // Notifies the listener of everything later; earlier events are read with `waiting` and `stored`.
  void join(Listener& listener) { listeners_.push_back(&listener); }
  // Does nothing after `end`, which has removed all listeners.
  void leave(Listener& listener) { std::erase(listeners_, &listener); }
  // The conversation is removed or its hub has ended: no further events, and the last notification has passed.
  bool ended() const { return ended_; }
  std::uint64_t last_seq() const { return last_seq_; }                                       // last published event
  void passed(std::uint64_t from, std::uint64_t to) { tail_.passed(from, to); }              // EventTail::passed
  std::size_t waiting_after(std::uint64_t after) const { return tail_.count_after(after); }  // number in memory
  // The events after `after` in memory, up to `most_bytes`, at least one; empty if memory no longer has them.
  std::vector<EventPtr> waiting(std::uint64_t after, std::size_t most_bytes) const { return tail_.after(after, most_bytes); }
  // The same from the store. Errors: those of the store; internal (a gap in the log). Empty: the conversation ended meanwhile.
  Task<Result<std::vector<EventPtr>>> stored(std::uint64_t after, std::size_t most_bytes);

 private:
  Store& store_;
  std::string conversation_;
  std::uint64_t last_seq_;
  bool ended_ = false;
  std::vector<Listener*> listeners_;
  EventTail tail_;  // events not yet received by all followers
};

}  // namespace parlance::hub
