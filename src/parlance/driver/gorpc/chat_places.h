// SPDX-License-Identifier: Apache-2.0
// The slots of an agent for parallel Chats. Further Chats wait in order of arrival, because the agent would refuse them. Loop
// thread only; must outlive its slots.
#pragma once

#include <cstddef>
#include <deque>

#include "parlance/agent/limits.h"
#include "parlance/async/channel.h"

namespace parlance::driver {

class ChatPlaces {
 public:
  explicit ChatPlaces(Loop& loop, std::size_t places = limits::running_chats) : loop_(loop), places_(places) {}

  // A slot, or a position in the queue; released by the destructor.
  class Place {
   public:
    explicit Place(ChatPlaces& of);
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    bool granted() const { return granted_; }
    std::size_t before() const;  // number of earlier waiting Chats
    Task<void> wait();           // until granted

   private:
    friend class ChatPlaces;
    ChatPlaces& of_;
    bool granted_ = false;
    Signal changed_;
  };

  std::size_t taken() const { return taken_; }
  std::size_t waiting() const { return waiting_.size(); }

 private:
  void grant();

  Loop& loop_;
  std::size_t places_;
  std::size_t taken_ = 0;
  std::deque<Place*> waiting_;
};

}  // namespace parlance::driver
