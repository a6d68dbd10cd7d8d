// SPDX-License-Identifier: Apache-2.0
// The recent events of a conversation that at least one follower has not received. All followers of a conversation share one
// tail, so a thousand followers need the memory of one. The tail is bounded: slower followers read from the store, and followers
// with the same position share the read. For the .cpp files of the hub. Loop thread only.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/hub/log/store.h"

namespace parlance::hub {

// Shared by all followers; keeps the whole commit of the event.
using EventPtr = std::shared_ptr<const Event>;

// Bytes of text of waiting events. Beyond this limit, followers read from the store.
inline constexpr std::size_t follower_bytes = 2 << 20;
// Number of waiting events: each needs some hundred bytes beside its text.
inline constexpr std::size_t follower_events = 2048;

class EventTail {
 public:
  explicit EventTail(Loop& loop) : read_(loop) {}

  // Adds the next events of the log, for `followers` followers. Behind a gap, the tail begins again.
  void add(const CommitPtr& written, std::size_t bytes, std::size_t followers);
  // Followers read the store from their position on.
  void clear() { written_.clear(), bytes_ = events_ = 0; }

  // The events after `after`, without a gap, up to `most_bytes`, at least one; empty if the tail no longer has them.
  std::vector<EventPtr> after(std::uint64_t after, std::size_t most_bytes) const;
  // The number of events above `after`; 0 if the tail no longer has all of them.
  std::size_t count_after(std::uint64_t after) const;
  // A follower has received all events above `from` up to `to`. `from` is the `to` of its previous call, or the end of the log
  // when the follower joined, even if the follower had later events from elsewhere.
  void passed(std::uint64_t from, std::uint64_t to);

  // Reads events after `after` up to `last` from the store. Calls during the read, or while a caller holds the result, share the
  // result.
  using Part = std::shared_ptr<const std::vector<Event>>;
  Task<Result<Part>> read(Store& store, std::string conversation, std::uint64_t after, std::uint64_t last,
                          std::size_t most_bytes);

 private:
  struct Written {
    CommitPtr commit;
    std::size_t bytes;
    std::size_t left;  // followers without these events
    // The numbers of the first and the last event of the commit, which has at least one.
    std::uint64_t first() const;
    std::uint64_t last() const;
  };
  using At = std::deque<Written>::const_iterator;
  // The first commit with an event above `seq`; the end: none.
  At first_above(std::uint64_t seq) const;
  // Forgets the oldest commit, whether or not followers have received its events.
  void drop_first();

  std::deque<Written> written_;  // without a gap, oldest first
  std::size_t bytes_ = 0;
  std::size_t events_ = 0;
  std::map<std::uint64_t, std::weak_ptr<const std::vector<Event>>> parts_;
  std::set<std::uint64_t> reading_;  // positions with a read in progress
  Signal read_;
};

}  // namespace parlance::hub
