// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/gorpc/chat_slots.h"

#include <algorithm>

namespace parlance::driver {

ChatSlots::Slot::Slot(ChatSlots& of) : of_(of), changed_(of.loop_) {
  of_.waiting_.push_back(this);
  of_.grant();
}

ChatSlots::Slot::~Slot() {
  if (granted_) --of_.taken_;
  else std::erase(of_.waiting_, this);
  of_.grant();
}

std::size_t ChatSlots::Slot::before() const {
  return static_cast<std::size_t>(std::ranges::find(of_.waiting_, this) - of_.waiting_.begin());
}

Task<void> ChatSlots::Slot::wait() {
  while (!granted_) co_await changed_.wait();
}

// The first waiting Chat gets the slot at once, so a later Chat cannot overtake.
void ChatSlots::grant() {
  while (taken_ < slots_ && !waiting_.empty()) {
    Slot& next = *waiting_.front();
    waiting_.pop_front();
    ++taken_;
    next.granted_ = true;
    next.changed_.notify_all();
  }
}

}  // namespace parlance::driver
