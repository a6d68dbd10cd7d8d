// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/terminal/terminal_console.h"

#include <cstdio>
#include <unistd.h>
#include <utility>

#include "apps/parlance/terminal/paper.h"

namespace parlance::app {
namespace {

constexpr std::string_view end_of_input = "\x04";  // Ctrl-D

void show(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace

TerminalConsole::TerminalConsole(Loop& loop, std::string history, std::vector<std::string> words)
    : input_(STDIN_FILENO), past_(std::move(history)), words_(std::move(words)), worker_(loop, "terminal") {
  modes_.quiet();
}
// Wakes the waiter on the worker's thread, and prevents further waits.
TerminalConsole::~TerminalConsole() { input_.wake(); }

Task<Typed> TerminalConsole::line(std::string prompt) {
  modes_.found();  // restores the terminal modes that libedit resets after a line
  input_.forget();
  reading_ = editing_ = true;
  Typed typed = co_await worker_.run([this, prompt = std::move(prompt)] {
    if (!editor_) editor_.emplace(input_, past_, words_);
    return editor_->line(prompt);
  });
  reading_ = editing_ = false;
  modes_.quiet();
  co_return typed;
}

Task<Typed> TerminalConsole::key(std::string prompt) {
  modes_.keys();
  show(prompt);
  input_.forget();
  reading_ = true;
  Typed typed = co_await worker_.run([this] { return read_key(); });
  reading_ = false;
  modes_.quiet();
  const bool seen = typed.text.size() == 1 && typed.text.front() > ' ';
  show((seen ? typed.text : "") + "\n");
  co_return typed;
}

Typed TerminalConsole::read_key() {
  std::string key;
  while (key.empty()) switch (input_.more(key)) {
      case WakeableInput::Read::woken: return {.kind = Typed::Kind::interrupted};
      case WakeableInput::Read::ended: return {};
      case WakeableInput::Read::redraw:
      case WakeableInput::Read::bytes: break;
    }
  while (key.starts_with('\x1b') && input_.soon(WakeableInput::rest_of_a_key))
    if (input_.more(key) != WakeableInput::Read::bytes) break;
  if (key == end_of_input) return {};
  return {.kind = Typed::Kind::text, .text = std::move(key)};
}

void TerminalConsole::interrupt() {
  if (reading_) input_.wake();
}
void TerminalConsole::resized() {
  if (editing_ && editor_) input_.redraw();
}
void TerminalConsole::make_room() {
  if (editing_ && !is_dumb_terminal()) show("\r\x1b[K");
}

}  // namespace parlance::app
