// SPDX-License-Identifier: Apache-2.0
// The end of a conversation's log, as long as somebody who follows it has not had it: one for each conversation, shared by all its followers,
// so that a thousand of them cost what one costs. Bounded: whoever is further behind reads from the store, and those who want the same
// part at the same time share that as well. For the .cpp files of the hub. Loop thread only.
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

// Shared by all who follow, with what was written together with it.
using EventPtr = std::shared_ptr<const Event>;

// Bytes of text of events that wait for the followers of a conversation. They are read again when there are more.
inline constexpr std::size_t follower_bytes = 2 << 20;
// … and how many: one is some hundred bytes beside its text.
inline constexpr std::size_t follower_events = 2048;

class EventTail {
 public:
  explicit EventTail(Loop& loop) : read_(loop) {}

  // The next events of the log, which so many followers are to have.
  void add(const CommitPtr& written, std::size_t bytes, std::size_t followers);
  void clear() { written_.clear(), bytes_ = events_ = 0; }

  // What follows `after`, without a gap, up to `most_bytes` and one at least; nothing when it is here no more.
  std::vector<EventPtr> after(std::uint64_t after, std::size_t most_bytes) const;
  std::size_t count_after(std::uint64_t after) const;
  // A follower has had all above `from` up to `to`. It counts for what was added above `joined`, the end of the log when it came.
  void passed(std::uint64_t from, std::uint64_t to, std::uint64_t joined);

  // … from the store: what follows `after` up to `last`. Whoever asks while it is being read, or while somebody still holds it, gets the same.
  using Part = std::shared_ptr<const std::vector<Event>>;
  Task<Result<Part>> read(Store& store, std::string conversation, std::uint64_t after, std::uint64_t last,
                          std::size_t most_bytes);

 private:
  struct Written {
    CommitPtr commit;
    std::size_t bytes;
    std::size_t left;  // followers that have not had it
    std::uint64_t first() const { return commit->events.front().seq; }
    std::uint64_t last() const { return commit->events.back().seq; }
  };
  using At = std::deque<Written>::const_iterator;
  At first_above(std::uint64_t seq) const;
  void drop_first();

  std::deque<Written> written_;
  std::size_t bytes_ = 0;
  std::size_t events_ = 0;
  std::map<std::uint64_t, std::weak_ptr<const std::vector<Event>>> parts_;
  std::set<std::uint64_t> reading_;
  Signal read_;
};

}  // namespace parlance::hub
