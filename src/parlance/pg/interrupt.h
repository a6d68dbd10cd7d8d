// SPDX-License-Identifier: Apache-2.0
// Permanently wakes a thread that waits for a server. Any thread; outlives the waiters.
#pragma once

namespace parlance::pg {

class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  void raise();  // From now on, waits end at once.
  bool raised() const;
  int descriptor() const { return fd_; }  // Readable after raise().
  // Waits for this time, or until raised; true: raised.
  bool wait_ms(int milliseconds) const;

 private:
  int fd_;
};

}  // namespace parlance::pg
