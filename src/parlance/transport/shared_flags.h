// SPDX-License-Identifier: Apache-2.0
// O_NONBLOCK on an open file that other processes share, put back whatever way we end (but SIGKILL). Any thread.
#pragma once

#include "parlance/base/result.h"

namespace parlance {

// Sets it on `fd` while this lives. Nothing happens when it is set already.
class SharedNonBlocking {
 public:
  // invalid_request when `untouchable` (-1: none) is the same open file.
  static Result<SharedNonBlocking> set(int fd, int untouchable);
  SharedNonBlocking() = default;
  SharedNonBlocking(SharedNonBlocking&& other) noexcept;
  SharedNonBlocking& operator=(SharedNonBlocking&& other) noexcept;
  ~SharedNonBlocking();

 private:
  explicit SharedNonBlocking(int slot) : slot_(slot) {}
  int slot_ = -1;
};

}  // namespace parlance
