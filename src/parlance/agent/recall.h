// SPDX-License-Identifier: Apache-2.0
// What the agent remembers of its own accord: before a model answers, the memory is searched with what the person wrote last, and
// what was found goes before their message, marked as data. Nothing found, a slow memory or a broken one: nothing is added, and the
// chat goes on. Loop thread only; loop and store outlive it.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "parlance/agent/limits.h"
#include "parlance/async/loop.h"
#include "parlance/memory/store.h"
#include "parlance/model/model.h"
#include "parlance/model/remembered.h"

namespace parlance::agent {

// The best first: by score, raised for importance and for categories that matter more (decision, preference, fact, entity). It only
// reorders; what is a hit was decided by the score alone.
std::vector<memory::Hit> by_use(std::vector<memory::Hit> hits);

// The first of them that fit limits::recall_entries and recall_bytes, each cut to recall_entry_bytes.
std::vector<model::Remembered> within_limits(const std::vector<memory::Hit>& hits);

class Recall {
 public:
  Recall(Loop& loop, memory::Store& memory) : loop_(loop), memory_(memory) {}

  // Searches once a turn: when the person's message is the last one. The later steps of the turn, which end with tool results, are
  // told the same again, or the model would have forgotten it by the time it answers.
  Task<void> add_to(std::vector<model::Message>& messages, std::string user);

 private:
  struct Kept {
    std::string user{};  // two people may say the same, and remember different things
    std::string said{};
    std::vector<model::Remembered> found{};
    bool is_of(const std::string& who, const std::string& what) const { return user == who && said == what; }
  };
  Task<std::vector<model::Remembered>> find(std::string user, std::string said);
  void keep(Kept fresh);

  Loop& loop_;
  memory::Store& memory_;
  std::deque<Kept> kept_;  // oldest first
  bool failing_ = false;   // it was logged
};

}  // namespace parlance::agent
