// SPDX-License-Identifier: Apache-2.0
// A person at a terminal: lines with editing, history and completion, and keys. Between these, typed text is invisible and waits.
// Loop thread only; a separate thread waits for input.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/parlance/terminal/console.h"
#include "apps/parlance/terminal/line_editor.h"
#include "apps/parlance/terminal/past_lines.h"
#include "apps/parlance/terminal/terminal_modes.h"
#include "parlance/async/worker.h"

namespace parlance::app {

class TerminalConsole final : public Console {
 public:
  // `history`: the file of typed lines; "": none. `words`: the completions for Tab.
  TerminalConsole(Loop& loop, std::string history, std::vector<std::string> words);
  ~TerminalConsole() override;

  Task<Typed> line(std::string prompt) override;
  Task<Typed> key(std::string prompt) override;
  void interrupt() override;
  void resized() override;
  void make_room() override;

 private:
  Typed read_key();  // on the worker's thread

  TerminalModes modes_;
  WakeableInput input_;
  PastLines past_;
  std::optional<LineEditor> editor_;  // created on the worker's thread, because the editor reads files
  std::vector<std::string> words_;
  bool reading_ = false;
  bool editing_ = false;
  Worker worker_;
};

}  // namespace parlance::app
