// SPDX-License-Identifier: Apache-2.0
// Wakes a thread that waits for a server, for ever. Any thread; outlives those that wait.
#pragma once

namespace parlance::pg {

class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  void raise();  // From now on nobody who looks at it waits.
  bool raised() const;
  int descriptor() const { return fd_; }  // Readable once it was raised.
  // Waits for so long, or until it is raised; true: it was.
  bool wait_ms(int milliseconds) const;

 private:
  int fd_;
};

}  // namespace parlance::pg
