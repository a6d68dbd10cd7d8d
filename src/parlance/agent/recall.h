// SPDX-License-Identifier: Apache-2.0
// Automatic recall: before a model answers, searches the memory for the person's last message, and inserts the results before
// this message, marked as data. Without results, or with a slow or broken memory, the chat continues unchanged. Loop thread only;
// loop and store outlive this object.
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

// The best first: by score, raised for importance and for more useful categories (decision, preference, fact, entity). Only the
// order changes; the score alone decides about hits.
std::vector<memory::Hit> by_use(std::vector<memory::Hit> hits);

// The first hits within limits::recall_entries and recall_bytes, each cut to recall_entry_bytes.
std::vector<model::Remembered> within_limits(const std::vector<memory::Hit>& hits);

class Recall {
 public:
  Recall(Loop& loop, memory::Store& memory) : loop_(loop), memory_(memory) {}

  // Searches once for each turn: if the person's message is the last. Later steps of the turn, which end with tool results,
  // repeat the same memories, or the model would lose them before its answer.
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
  bool failing_ = false;   // already logged
};

}  // namespace parlance::agent
