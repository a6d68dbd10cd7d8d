// SPDX-License-Identifier: Apache-2.0
// One `parlance up` for each state folder. The first holds a lock there during its life and publishes the address of its page, so
// that a second can report this address instead of a conflict.
#pragma once

#include <string>
#include <sys/types.h>
#include <variant>

#include "parlance/base/result.h"

namespace parlance::app {

struct AlreadyRunning {
  pid_t pid = 0;
  std::string url{};  // of its page, with the token; empty during the start
};

class RunningUp {
 public:
  RunningUp() = default;
  RunningUp(RunningUp&& other) noexcept;
  RunningUp& operator=(RunningUp&&) = delete;
  ~RunningUp();
  void publish(const std::string& url);  // for later starts
 private:
  friend Result<std::variant<RunningUp, AlreadyRunning>> claim_running(const std::string& state_folder);
  int fd_ = -1;
};

// Errors: the file cannot be created in the existing, private state folder.
Result<std::variant<RunningUp, AlreadyRunning>> claim_running(const std::string& state_folder);

}  // namespace parlance::app
