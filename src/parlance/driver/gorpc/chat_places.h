// SPDX-License-Identifier: Apache-2.0
// The places that an agent has for Chats. When all are taken, the next wait here in the order in which they came, instead of being
// refused by the agent. Loop thread only; outlives the places that are held.
#pragma once

#include <cstddef>
#include <deque>

#include "parlance/agent/limits.h"
#include "parlance/async/channel.h"

namespace parlance::driver {

class ChatPlaces {
 public:
  explicit ChatPlaces(Loop& loop, std::size_t places = limits::running_chats) : loop_(loop), places_(places) {}

  // One place, or the turn to get one; given back, or given up, when it is destroyed.
  class Place {
   public:
    explicit Place(ChatPlaces& of);
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    bool granted() const { return granted_; }
    std::size_t before() const;  // how many wait in front of it
    Task<void> wait();           // until it is granted

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
