// Follows one conversation without a gap, at the pace of whoever asks: every event after a number, each once, in order, and the
// conversation's row. For every face; one follower each. Loop thread only.
//
//   hub::Follower follower(hub, conversation, 0);
//   for (;;) {
//     PARLANCE_CO_TRY(news, co_await follower.next());
//     for (const hub::EventPtr& event : news.events) …
//   }
//
// What happens while nobody asks waits here, up to limits that are small; above them it is dropped and read again from the store when it is
// asked for. So a face that is slow, or waits for a person for an hour, loses nothing and costs nothing. What it asks is in the events:
// they carry the asks as they were opened and how they were settled (`Hub::find_ask` knows which are open now).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "async/channel.h"
#include "async/task.h"
#include "base/result.h"
#include "hub/conversation.h"
#include "hub/event.h"
#include "hub/store.h"

namespace parlance::hub {

class Hub;
struct Room;

// Shared by all who follow, with what was written together with it.
using EventPtr = std::shared_ptr<const Event>;

// Bytes of text of live events that wait for one follower. They are shared with others, and read again when there are more.
inline constexpr std::size_t follower_bytes = 2 << 20;
// … and how many: one is some hundred bytes beside its text.
inline constexpr std::size_t follower_events = 2048;
// Read from the store at once by one that is behind.
inline constexpr std::size_t follower_read_bytes = 1 << 20;

class Follower {
 public:
  // The events after number `after`: 0 for all, Conversation::last_seq for those to come. May outlive the hub.
  Follower(Hub& hub, std::string conversation, std::uint64_t after);
  ~Follower();
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  struct News {
    std::vector<EventPtr> events{};
    std::shared_ptr<const Conversation> conversation{};  // as it is now, when its row has changed; else null
  };
  // Events, or a new row; waits for the first. One caller at a time; destroying the task loses nothing. Errors: not_found (the conversation
  // is gone, or was never there, or the hub has ended), those of the store (nothing is lost: ask again).
  Task<Result<News>> next();

  // Number of the last event that was handed out.
  std::uint64_t position() const { return position_; }
  std::size_t waiting() const { return live_.size(); }

 private:
  friend struct Room;
  void tell(const CommitPtr& written, std::size_t bytes);
  void tell(std::shared_ptr<const Conversation> row);
  void leave();
  Task<Result<void>> catch_up(News& news);

  Room* room_ = nullptr;  // null once it is gone
  Store* store_;
  std::string conversation_;
  std::uint64_t position_;
  std::vector<EventPtr> live_;  // those after position_, without a gap; none when it is behind
  std::size_t live_bytes_ = 0;
  std::shared_ptr<const Conversation> row_;
  Signal changed_;
};

}  // namespace parlance::hub
