// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/terminal/line_console.h"

#include <cstdio>
#include <termios.h>
#include <unistd.h>
#include <utility>

namespace parlance::app {

Task<Typed> LineConsole::line(std::string prompt) {
  std::fprintf(stderr, "%s", prompt.c_str());
  input_.forget();
  reading_ = true;
  Typed typed = co_await worker_.run([this] { return read(); });
  reading_ = false;
  co_return typed;
}
void LineConsole::interrupt() {
  if (reading_) input_.wake();
}

void LineConsole::forget_typed() {
  if (reading_ || ::isatty(descriptor_) == 0) return;
  ::tcflush(descriptor_, TCIFLUSH);
  held_.clear();
}

Typed LineConsole::read() {
  for (std::size_t looked = 0;;) {
    if (const std::size_t end = held_.find('\n', looked); end != std::string::npos) {
      Typed typed{.kind = Typed::Kind::text, .text = held_.substr(0, end)};
      held_.erase(0, end + 1);
      if (typed.text.ends_with('\r')) typed.text.pop_back();
      return typed;
    }
    looked = held_.size();
    switch (input_.more(held_)) {
      case WakeableInput::Read::redraw:
      case WakeableInput::Read::bytes: break;
      case WakeableInput::Read::woken: return {.kind = Typed::Kind::interrupted};
      case WakeableInput::Read::ended:
        if (held_.empty()) return {};
        return {.kind = Typed::Kind::text, .text = std::exchange(held_, {})};
    }
  }
}

}  // namespace parlance::app
