// SPDX-License-Identifier: Apache-2.0
// Whether conversations with work move, also during faults.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "parlance/base/clock.h"

namespace parlance::simulator {

class Progress {
 public:
  explicit Progress(Duration patience) : patience_(patience) {}
  // `position`: changes with each event and each owner. `should_move`: nothing hinders the work at this moment. False: the
  // conversation has not moved for the whole patience, though nothing hindered the work.
  bool look(const std::string& conversation, std::string position, bool should_move, TimePoint now) {
    Last& last = last_[conversation];
    if (should_move && last.position == position) return now - last.since < patience_;
    last = {.position = std::move(position), .since = now};
    return true;
  }

 private:
  struct Last {
    std::string position{};
    TimePoint since{};
  };
  Duration patience_;
  std::map<std::string, Last> last_;
};

}  // namespace parlance::simulator
