// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/gorpc/chat_places.h"

#include <algorithm>

namespace parlance::driver {

ChatPlaces::Place::Place(ChatPlaces& of) : of_(of), changed_(of.loop_) {
  of_.waiting_.push_back(this);
  of_.grant();
}

ChatPlaces::Place::~Place() {
  if (granted_) --of_.taken_;
  else std::erase(of_.waiting_, this);
  of_.grant();
}

std::size_t ChatPlaces::Place::before() const {
  return static_cast<std::size_t>(std::ranges::find(of_.waiting_, this) - of_.waiting_.begin());
}

Task<void> ChatPlaces::Place::wait() {
  while (!granted_) co_await changed_.wait();
}

// The first waiting Chat gets the slot at once, so a later Chat cannot overtake.
void ChatPlaces::grant() {
  while (taken_ < places_ && !waiting_.empty()) {
    Place& next = *waiting_.front();
    waiting_.pop_front();
    ++taken_;
    next.granted_ = true;
    next.changed_.notify_all();
  }
}

}  // namespace parlance::driver
