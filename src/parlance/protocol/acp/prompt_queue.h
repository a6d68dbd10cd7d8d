// SPDX-License-Identifier: Apache-2.0
// One prompt at a time in a session: what else is asked meanwhile waits, in order; a cancel ends the running one and all that wait.
// Loop thread only; it outlives the places in it.
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

  // A prompt's place in the line of its session, for as long as it is there. The first one runs.
  class Place {
   public:
    Place(PromptQueues& queues, std::string session);
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    Task<bool> mine();  // waits until it is the first; false: cancelled before that
    CancelSource& cancelled() { return cancelled_; }

   private:
    friend class PromptQueues;
    PromptQueues& queues_;
    std::string session_;
    CancelSource cancelled_;
    Signal changed_;
  };

  bool cancel(std::string_view session);           // true: a prompt of it runs, which is to be told
  Place* running(std::string_view session) const;  // or null
  std::size_t sessions() const { return lines_.size(); }

 private:
  Loop& loop_;
  std::map<std::string, std::list<Place*>, std::less<>> lines_;  // none is empty
};

}  // namespace parlance::acp
