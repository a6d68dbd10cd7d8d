// SPDX-License-Identifier: Apache-2.0
// Follows one conversation without a gap, at the pace of whoever asks: every event after a number, each once, in order, and the
// conversation's row. For every face; one follower each. Loop thread only.
//
//   hub::Follower follower(hub, conversation, 0);
//   for (;;) {
//     PARLANCE_CO_TRY(news, co_await follower.next());
//     for (const hub::EventPtr& event : news.events) …
//   }
//
// What happens while nobody asks waits in the conversation's tail (event_tail.h), shared by all who follow it, up to limits that are small;
// what is older is read again from the store when it is asked for. So a face that is slow, or waits for a person for an hour, loses nothing
// and costs nothing, and a hundred pages that do not read cost what one costs. What it asks is in the events:
// they carry the asks as they were opened and how they were settled (`Hub::find_ask` knows which are open now).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/followed.h"
#include "parlance/hub/log/event_tail.h"
#include "parlance/hub/user_hub.h"

namespace parlance::hub {

class Follower final : private Followed::Listener {
 public:
  // The events after number `after`: 0 for all, Conversation::last_seq for those to come. May outlive the hub.
  // `wake`: told too when there is something, for a face that waits for several things at once. It outlives the follower.
  Follower(UserHub hub, std::string conversation, std::uint64_t after, Signal* wake = nullptr);
  ~Follower();
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  struct News {
    std::vector<EventPtr> events{};
    std::shared_ptr<const Conversation> conversation{};  // as it is now, when its row has changed; else null
  };
  // Events, of at most so many bytes or one, or a new row; waits for the first. One caller at a time; destroying the task loses nothing.
  // Errors: not_found (the conversation is gone, or was never there, or may not be read any more, or the hub has ended), those of the store
  // (nothing is lost: ask again).
  Task<Result<News>> next(std::size_t most_bytes = SIZE_MAX);
  bool ready() const;  // `next` would not wait for anything to happen, only for the store at most

  // Number of the last event that was handed out.
  std::uint64_t position() const { return position_; }
  std::size_t waiting() const {
    return followed_ ? followed_->waiting_after(position_) : 0;
  }  // in memory; none when it is behind

 private:
  void tell() override;
  void tell(std::shared_ptr<const Conversation> row) override;
  bool gone() const;
  void advance(std::uint64_t to);

  UserHub hub_;
  std::shared_ptr<Followed> followed_;  // null: it was never there
  std::string conversation_;
  std::uint64_t position_;
  std::uint64_t joined_ = 0;  // the end of the log when it came
  std::shared_ptr<const Conversation> row_;
  Signal changed_;
  Signal* wake_;
};

}  // namespace parlance::hub
