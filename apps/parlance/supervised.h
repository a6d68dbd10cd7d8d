// What a service process and its supervisor (`parlance up`) say to each other: the service prints one JSON line once it is ready,
// and ends when its stdin ends, so that it never outlives the supervisor. A person who starts a service alone gets plain words instead.
#pragma once

#include <csignal>
#include <string>

#include "async/loop.h"
#include "async/signals.h"
#include "base/result.h"

namespace parlance::app {

inline constexpr const char* supervised_variable = "PARLANCE_SUPERVISED";
bool is_supervised();

// {"ready":"agent","address":"unix:/…","pid":7} or "parlance agent: ready on unix:/…".
void announce_ready(const std::string& service, const std::string& address, const std::string& words);

// SIGINT, SIGTERM or the supervisor's end. Made before anything is there that has to be cleaned up, and before anybody is told that
// we are ready: from then on a signal is kept until somebody waits for it.
class EndWatch {
 public:
  explicit EndWatch(Loop& loop) : loop_(loop), signals_(loop, {SIGINT, SIGTERM}) {}
  Task<void> wait();

 private:
  Loop& loop_;
  SignalWatch signals_;
};

}  // namespace parlance::app
