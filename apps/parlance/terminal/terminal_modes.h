// SPDX-License-Identifier: Apache-2.0
// The input modes of the terminal: the original modes, and parlance's. Any end of the process restores the original modes. One
// instance for each process; any thread, one at a time.
#pragma once

#include <termios.h>

namespace parlance::app {

class TerminalModes {
 public:
  TerminalModes();  // stdin is a terminal
  ~TerminalModes();
  TerminalModes(const TerminalModes&) = delete;
  TerminalModes& operator=(const TerminalModes&) = delete;

  void quiet();  // lines, invisible: input waits while an agent writes
  void keys();   // single keys, invisible; drops earlier input
  void found();  // the original modes

 private:
  termios found_{};
};

}  // namespace parlance::app
