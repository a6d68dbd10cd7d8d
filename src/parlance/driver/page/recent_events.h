// SPDX-License-Identifier: Apache-2.0
// The newest events of a conversation at a gateway, without a gap: readers of new events need no request. Bounded; older events
// come from the gateway. A value; one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace parlance::hub {
struct Event;  // conversation/event.h
}  // namespace parlance::hub

namespace parlance::driver {

class RecentEvents {
 public:
  explicit RecentEvents(std::uint64_t last_seq) : last_seq_(last_seq) {}

  // Known events are ignored. After a gap, only the new events remain.
  void add(hub::Event event);
  std::uint64_t last_seq() const { return last_seq_; }
  // True: it has at least the next event after this number, if `last_seq` is higher.
  bool has_next(std::uint64_t after) const { return after >= last_seq_ - events_.size(); }
  // The events with after < seq < before.
  std::vector<hub::Event> between(std::uint64_t after, std::uint64_t before) const;

 private:
  std::deque<std::shared_ptr<const hub::Event>> events_;  // consecutive numbers up to last_seq_
  std::uint64_t last_seq_;
  std::size_t bytes_ = 0;
};

}  // namespace parlance::driver
