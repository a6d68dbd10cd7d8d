// SPDX-License-Identifier: Apache-2.0
// The newest events of a conversation at a gateway, without a gap: readers of new events need no request. Bounded; older events
// come from the gateway. A value; one thread at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "parlance/hub/conversation/event.h"

namespace parlance::driver {

class RecentEvents {
 public:
  explicit RecentEvents(std::uint64_t last_seq) : last_seq_(last_seq) {}

  // Known events are ignored. After a gap, only the new events remain.
  void add(hub::Event event) {
    if (event.seq <= last_seq_) return;
    if (event.seq != last_seq_ + 1) clear();
    last_seq_ = event.seq;
    bytes_ += hub::weight_of(event.body);
    events_.push_back(std::move(event));
    while (bytes_ > most_bytes && events_.size() > 1) {
      bytes_ -= hub::weight_of(events_.front().body);
      events_.pop_front();
    }
  }
  std::uint64_t last_seq() const { return last_seq_; }
  // True: it has at least the next event after this number, if `last_seq` is higher.
  bool has_next(std::uint64_t after) const { return after >= last_seq_ - events_.size(); }
  // The events with after < seq < before.
  std::vector<hub::Event> between(std::uint64_t after, std::uint64_t before) const {
    const std::uint64_t first = last_seq_ + 1 - events_.size();
    const std::uint64_t from = std::max(after + 1, first);
    const std::uint64_t to = std::clamp(before, from, std::max(from, last_seq_ + 1));
    const auto at = [&](std::uint64_t seq) { return events_.begin() + static_cast<std::ptrdiff_t>(seq - first); };
    return from > last_seq_ ? std::vector<hub::Event>{} : std::vector<hub::Event>(at(from), at(to));
  }

 private:
  // A page of events of the gateway: a reader that fell behind by less needs no request.
  static constexpr std::size_t most_bytes = 4 << 20;
  void clear() {
    events_.clear();
    bytes_ = 0;
  }

  std::deque<hub::Event> events_;  // consecutive numbers up to last_seq_
  std::uint64_t last_seq_;
  std::size_t bytes_ = 0;
};

}  // namespace parlance::driver
