// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub_pg/lease.h"

#include <algorithm>
#include <ctime>

namespace parlance::store {

std::chrono::nanoseconds since_boot() {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

void Lease::renewed(Time sent, Time now) {
  renewal_pending_ = false;
  if (limit_ && state(now) == State::lost) {
    lost_ = true;
    return;
  }
  limit_ = std::max(limit_.value_or(Time{}), sent + settings_.own);
  next_renewal_ = sent + settings_.renewal;
}

void Lease::renewal_sent(Time now) {
  renewal_pending_ = true;
  next_renewal_ = now + settings_.renewal;
}

void Lease::renewal_failed(Time now) {
  renewal_pending_ = false;
  next_renewal_ = now + limits::store_reconnect;
}

Lease::State Lease::state(Time now) const {
  if (lost_) return State::lost;
  if (!limit_) return State::joining;
  return now < *limit_ ? State::alive : State::lost;
}

bool Lease::wants_renewal(Time now) const { return state(now) == State::alive && !renewal_pending_ && now >= next_renewal_; }

Lease::Time Lease::next_look(Time now) const {
  if (state(now) != State::alive) return now;
  return renewal_pending_ ? *limit_ : std::min(next_renewal_, *limit_);
}

}  // namespace parlance::store
