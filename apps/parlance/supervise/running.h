// SPDX-License-Identifier: Apache-2.0
// One `parlance up` a state folder: the first holds a lock there for as long as it lives, and says where its page is, so that a second
// one can say so instead of failing at whatever is taken first.
#pragma once

#include <string>
#include <sys/types.h>
#include <variant>

#include "parlance/base/result.h"

namespace parlance::app {

struct AlreadyRunning {
  pid_t pid = 0;
  std::string url{};  // of its page, with the token; empty while it starts
};

class RunningUp {
 public:
  RunningUp() = default;
  RunningUp(RunningUp&& other) noexcept;
  RunningUp& operator=(RunningUp&&) = delete;
  ~RunningUp();
  void tell(const std::string& url);  // for those that come later
 private:
  friend Result<std::variant<RunningUp, AlreadyRunning>> claim_running(const std::string& state_folder);
  int fd_ = -1;
};

// Errors: the file in the state folder (which is there, and ours) cannot be made.
Result<std::variant<RunningUp, AlreadyRunning>> claim_running(const std::string& state_folder);

}  // namespace parlance::app
