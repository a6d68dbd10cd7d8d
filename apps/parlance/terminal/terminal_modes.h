// SPDX-License-Identifier: Apache-2.0
// How the terminal takes what is typed: the modes it had when we came, and ours. Whatever ends us, it has its own again. One instance a
// process; any thread, one at a time.
#pragma once

#include <termios.h>

namespace parlance::app {

class TerminalModes {
 public:
  TerminalModes();  // stdin is a terminal
  ~TerminalModes();
  TerminalModes(const TerminalModes&) = delete;
  TerminalModes& operator=(const TerminalModes&) = delete;

  void quiet();  // lines, unseen: what is typed while an agent speaks waits
  void keys();   // each key at once, unseen; what was typed before is forgotten
  void found();  // as it was when we came

 private:
  termios found_{};
};

}  // namespace parlance::app
