// SPDX-License-Identifier: Apache-2.0
// How much was chatted, for good: `agent.db` of the state folder. What comes is added up and written by one transaction a second at
// most, so that no chat waits for it; who asks for the sums has it written first. A process that is killed loses what came within
// that second. Any number of processes may count into one folder. Loop thread; a thread of its own does the work and opens the file
// when it is first needed.
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
  // Of all time and all processes, with all that was added here. What could not be written is kept, and written the next time.
  // disconnected: the database cannot be opened.
  Task<Result<Numbers>> sums();

 private:
  class File;  // the same, blocking
  Task<void> write_later();

  Loop& loop_;
  Numbers unwritten_;
  bool waiting_ = false;        // to write
  bool failing_ = false;        // it was logged
  std::unique_ptr<File> file_;  // used by the worker alone
  Worker worker_;
  Scope scope_;  // goes first
};

}  // namespace parlance::store
