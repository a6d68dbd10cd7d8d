// SPDX-License-Identifier: Apache-2.0
// The prompts of a session: one runs, the others wait in order. A cancel ends the running prompt and all waiting prompts. Loop
// thread only; the queue must outlive its slots.
#pragma once

#include <list>
#include <map>
#include <string>
#include <string_view>

#include "parlance/async/cancel.h"
#include "parlance/async/channel.h"
#include "parlance/async/task.h"

namespace parlance::acp {

class PromptQueues {
 public:
  explicit PromptQueues(Loop& loop) : loop_(loop) {}

  // The slot of a prompt in the queue of its session. The first prompt runs.
  class Place {
   public:
    Place(PromptQueues& queues, std::string session);
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    Task<bool> mine();  // Waits for the first position. False: cancelled before.
    CancelSource& cancelled() { return cancelled_; }

   private:
    friend class PromptQueues;
    PromptQueues& queues_;
    std::string session_;
    CancelSource cancelled_;
    Signal changed_;
  };

  bool cancel(std::string_view session);           // True: a prompt of the session runs; cancel it at its agent.
  Place* running(std::string_view session) const;  // Or null.
  std::size_t sessions() const { return lines_.size(); }

 private:
  Loop& loop_;
  std::map<std::string, std::list<Place*>, std::less<>> lines_;  // No queue is empty.
};

}  // namespace parlance::acp
