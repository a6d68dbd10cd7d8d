// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/iflow/availability.h"

#include <utility>

#include "parlance/driver/iflow/limits.h"

namespace parlance::driver {

AvailabilityCache::AvailabilityCache(Loop& loop, Check check) : loop_(loop), check_(std::move(check)), scope_(loop) {}

Task<Availability> AvailabilityCache::get() {
  if (known_ && loop_.now() < fresh_until_) co_return *known_;
  if (!flight_) {
    flight_ = std::make_shared<Flight>(loop_);
    scope_.start(fly(flight_));
  }
  if (!flight_) co_return *known_;  // answered at once
  const std::shared_ptr<Flight> flight = flight_;
  while (!flight->result) co_await flight->landed.wait();
  co_return *flight->result;
}

Task<void> AvailabilityCache::fly(std::shared_ptr<Flight> flight) {
  flight->result = co_await check_();
  if (flight_ == flight) {  // otherwise `clear` requires a newer result
    known_ = flight->result;
    fresh_until_ =
        loop_.now() + (known_->available ? Duration(limits::iflow_available_for) : Duration(limits::iflow_unavailable_for));
    flight_.reset();
  }
  flight->landed.notify_all();
}

void AvailabilityCache::clear() {
  known_.reset();
  flight_.reset();
}

}  // namespace parlance::driver
