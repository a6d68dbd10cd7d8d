// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/terminal/terminal_modes.h"

#include <csignal>
#include <cstring>
#include <initializer_list>
#include <unistd.h>

namespace parlance::app {
namespace {

constexpr char no_bracketed_paste[] = "\x1b[?2004l";
termios to_restore{};  // written once, before the handlers

void restore() {
  static_cast<void>(::write(STDOUT_FILENO, no_bracketed_paste, sizeof no_bracketed_paste - 1));
  static_cast<void>(::tcsetattr(STDIN_FILENO, TCSANOW, &to_restore));
}

// The handler of signals that end the program. Calls only async-signal-safe functions.
void restore_and_die(int signal) {
  restore();
  ::signal(signal, SIG_DFL);
  static_cast<void>(::raise(signal));
}

// Not where a sanitizer or a debugger has its own.
void restore_at(int signal) {
  struct sigaction had{};
  if (::sigaction(signal, nullptr, &had) != 0 || had.sa_handler != SIG_DFL) return;
  struct sigaction ours{};
  ours.sa_handler = restore_and_die;
  static_cast<void>(::sigaction(signal, &ours, nullptr));
}

}  // namespace

TerminalModes::TerminalModes() {
  static_cast<void>(::tcgetattr(STDIN_FILENO, &found_));
  to_restore = found_;
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGQUIT}) restore_at(signal);
}
TerminalModes::~TerminalModes() { restore(); }

void TerminalModes::quiet() {
  termios wanted = found_;
  wanted.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  static_cast<void>(::tcsetattr(STDIN_FILENO, TCSADRAIN, &wanted));
}
void TerminalModes::keys() {
  termios wanted = found_;
  wanted.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON);
  wanted.c_cc[VMIN] = 1;
  wanted.c_cc[VTIME] = 0;
  static_cast<void>(::tcsetattr(STDIN_FILENO, TCSAFLUSH, &wanted));
}
void TerminalModes::found() { static_cast<void>(::tcsetattr(STDIN_FILENO, TCSADRAIN, &found_)); }

}  // namespace parlance::app
