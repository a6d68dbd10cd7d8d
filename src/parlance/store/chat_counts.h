// SPDX-License-Identifier: Apache-2.0
// Permanent counters of chats: `agent.db` of the state folder. The object adds new counts up and writes them with at most one
// transaction a second, so no chat waits for a write. A read of the sums writes pending counts first. A killed process loses the
// counts of the last second. Any number of processes may share a folder. Loop thread; a worker thread does the work and opens the
// file on first use.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "parlance/async/loop.h"
#include "parlance/async/scope.h"
#include "parlance/async/worker.h"
#include "parlance/base/result.h"

namespace parlance::store {

class ChatCounts {
 public:
  struct Numbers {
    std::uint64_t sessions = 0;
    std::uint64_t messages = 0;
    std::uint64_t tool_calls = 0;
    friend bool operator==(const Numbers&, const Numbers&) = default;
  };

  ChatCounts(Loop& loop, std::string state_folder);
  ~ChatCounts();

  void add(const Numbers& more);
  // Sums of all time and all processes, all calls of `add` included. A failed write keeps the counts for the next write.
  // disconnected: the database cannot be opened.
  Task<Result<Numbers>> sums();

 private:
  class File;  // the blocking implementation
  Task<void> write_later();

  Loop& loop_;
  Numbers unwritten_;
  bool waiting_ = false;        // a write is scheduled
  bool failing_ = false;        // the failure was logged
  std::unique_ptr<File> file_;  // used only by the worker
  Worker worker_;
  Scope scope_;  // destroyed first
};

}  // namespace parlance::store
