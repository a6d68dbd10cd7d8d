// SPDX-License-Identifier: Apache-2.0
// The slots of an agent for parallel Chats. Further Chats wait in order of arrival, because the agent would refuse them. Loop
// thread only; must outlive its slots.
#pragma once

#include <cstddef>
#include <deque>

#include "parlance/agent/limits.h"
#include "parlance/async/channel.h"

namespace parlance::driver {

class ChatSlots {
 public:
  explicit ChatSlots(Loop& loop, std::size_t slots = limits::running_chats) : loop_(loop), slots_(slots) {}

  // A slot, or a position in the queue; released by the destructor.
  class Slot {
   public:
    explicit Slot(ChatSlots& of);
    ~Slot();
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;
    bool granted() const { return granted_; }
    std::size_t before() const;  // number of earlier waiting Chats
    Task<void> wait();           // until granted

   private:
    friend class ChatSlots;
    ChatSlots& of_;
    bool granted_ = false;
    Signal changed_;
  };

  std::size_t taken() const { return taken_; }
  std::size_t waiting() const { return waiting_.size(); }

 private:
  void grant();

  Loop& loop_;
  std::size_t slots_;
  std::size_t taken_ = 0;
  std::deque<Slot*> waiting_;
};

}  // namespace parlance::driver
