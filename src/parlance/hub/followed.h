// SPDX-License-Identifier: Apache-2.0
// What those who follow a conversation see of it: the end of its log, and how far that goes. Between its room, which writes, and its
// followers, which read: neither knows the other, and it is kept by whoever is there longer. Loop thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "parlance/async/loop.h"
#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/log/event_tail.h"
#include "parlance/hub/log/store.h"

namespace parlance::hub {

// Read from the store at once for one that is behind.
inline constexpr std::size_t follower_read_bytes = 1 << 20;

class Followed {
 public:
  // Whoever is to be told. It leaves before it ends.
  class Listener {
   public:
    virtual void tell() = 0;  // there is more, or no more ever
    virtual void tell(std::shared_ptr<const Conversation> row) = 0;

   protected:
    ~Listener() = default;
  };

  Followed(Loop& loop, Store& store, std::string conversation, std::uint64_t last_seq)
      : store_(store), conversation_(std::move(conversation)), last_seq_(last_seq), tail_(loop) {}
  Followed(const Followed&) = delete;
  Followed& operator=(const Followed&) = delete;

  // ---- its room
  void tell(const CommitPtr& written, std::size_t bytes);  // events, which so many bytes of text are in
  void tell(const std::shared_ptr<const Conversation>& row);
  void reach(std::uint64_t last_seq);  // others have written so far: it is read from the store
  void end();                          // there is nothing to follow any more
  bool has_listeners() const { return !listeners_.empty(); }

  // ---- its followers
  void join(Listener& listener) { listeners_.push_back(&listener); }
  void leave(Listener& listener) { std::erase(listeners_, &listener); }
  bool ended() const { return ended_; }
  std::uint64_t last_seq() const { return last_seq_; }  // what is told
  // One of them has had all above `from` up to `to`; `joined` was the end of the log when it came.
  void passed(std::uint64_t from, std::uint64_t to, std::uint64_t joined) { tail_.passed(from, to, joined); }
  std::size_t waiting_after(std::uint64_t after) const { return tail_.count_after(after); }  // in memory
  // What follows `after`, up to `most_bytes` and one at least: what is in memory; nothing when it is there no more …
  std::vector<EventPtr> waiting(std::uint64_t after, std::size_t most_bytes) const { return tail_.after(after, most_bytes); }
  // … and from the store. Errors: those of the store; internal (the log has a gap). Nothing: it has ended meanwhile.
  Task<Result<std::vector<EventPtr>>> stored(std::uint64_t after, std::size_t most_bytes);

 private:
  Store& store_;
  std::string conversation_;
  std::uint64_t last_seq_;
  bool ended_ = false;
  std::vector<Listener*> listeners_;
  EventTail tail_;  // what they have not had
};

}  // namespace parlance::hub
