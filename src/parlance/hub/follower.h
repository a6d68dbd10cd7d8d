// SPDX-License-Identifier: Apache-2.0
// Reads one conversation without a gap, at the pace of the caller: every event after a number, each once, in order, and the
// conversation's row. For every frontend; one follower each. Loop thread only.
//
//   hub::Follower follower(hub, conversation, 0);
//   for (;;) {
//     PARLANCE_CO_TRY(batch, co_await follower.next());
//     for (const hub::EventPtr& event : batch.events) …
//   }
//
// Unread events wait in the conversation's tail (event_tail.h). All followers share the tail, and its limits are small; `next`
// reads older events from the store. A slow frontend, or a frontend with an hour-long question, loses no events and needs no
// memory. A hundred pages without reads need as much memory as one page. Asks are part of the events, opened and settled
// (`Hub::find_ask` returns the current state).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/hub/log/event_tail.h"
#include "parlance/hub/log/replicated_log.h"
#include "parlance/hub/user_hub.h"

namespace parlance::hub {

class Follower final : private ReplicatedLog::Listener {
 public:
  // Events after number `after`: 0 for all, Conversation::last_seq for new events only. May outlive the hub. `wake`: set on events
  // too, for a frontend with several sources; must outlive the follower.
  Follower(UserHub hub, std::string conversation, std::uint64_t after, Signal* wake = nullptr);
  ~Follower();
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  // The result of `next`: events, a row, or both.
  struct Batch {
    std::vector<EventPtr> events{};
    std::shared_ptr<const Conversation> conversation{};  // the current row; null: unchanged since the last call
  };
  // Events, up to `most_bytes` but at least one, or a new row; waits for the first. One caller at a time; destroying the task
  // loses no events. Errors: not_found (the conversation or hub ended, or the user lost access), those of the store (no events
  // are lost: call again).
  Task<Result<Batch>> next(std::size_t most_bytes = SIZE_MAX);
  // For a caller that stops inside `batch`: `next` returns the events after number `last` again, and the row.
  void put_back(const Batch& batch, std::uint64_t last);
  bool ready() const;  // `next` would wait at most for the store

  // Number of the last returned event.
  std::uint64_t position() const { return position_; }
  // Number of unread events in memory; 0 for a follower outside the tail.
  std::size_t waiting() const { return followed_ ? followed_->waiting_after(position_) : 0; }

 private:
  // Both are called by the tail: after new events, and with a new row. They wake `next` and `wake`.
  void notify() override;
  void notify(std::shared_ptr<const Conversation> row) override;
  // No further events can follow: unknown or removed conversation, end of the hub, or lost permission to read.
  bool gone() const;
  // Sets the position, and releases the events up to `to` from the shared tail.
  void advance(std::uint64_t to);

  UserHub hub_;
  std::shared_ptr<ReplicatedLog> followed_;  // null: no such conversation
  std::string conversation_;
  std::uint64_t position_;
  std::uint64_t counted_ = 0;  // `from` of the next EventTail::passed
  std::shared_ptr<const Conversation> row_;
  Signal changed_;
  Signal* wake_;
};

}  // namespace parlance::hub
