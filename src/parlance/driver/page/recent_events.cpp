// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/page/recent_events.h"

#include <algorithm>
#include <utility>

#include "parlance/hub/conversation/event.h"

namespace parlance::driver {
namespace {

// A page of events of the gateway: a reader that fell behind by less needs no request.
constexpr std::size_t most_recent_bytes = 4 << 20;

}  // namespace

void RecentEvents::add(hub::Event event) {
  if (event.seq <= last_seq_) return;
  if (event.seq != last_seq_ + 1) {
    events_.clear();
    bytes_ = 0;
  }
  last_seq_ = event.seq;
  bytes_ += hub::weight_of(event.body);
  events_.push_back(std::make_shared<const hub::Event>(std::move(event)));
  while (bytes_ > most_recent_bytes && events_.size() > 1) {
    bytes_ -= hub::weight_of(events_.front()->body);
    events_.pop_front();
  }
}

std::vector<hub::Event> RecentEvents::between(std::uint64_t after, std::uint64_t before) const {
  const std::uint64_t first = last_seq_ + 1 - events_.size();
  std::vector<hub::Event> found;
  for (std::uint64_t seq = std::max(after + 1, first); seq < std::min(before, last_seq_ + 1); ++seq)
    found.push_back(*events_[seq - first]);
  return found;
}

}  // namespace parlance::driver
