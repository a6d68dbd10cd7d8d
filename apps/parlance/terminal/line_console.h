// SPDX-License-Identifier: Apache-2.0
// Lines of stdin, which is a pipe, a file, or a terminal without an editor. Loop thread only; a thread of its own waits.
#pragma once

#include <string>

#include "apps/parlance/terminal/console.h"
#include "apps/parlance/terminal/wakeable_input.h"
#include "parlance/async/worker.h"

namespace parlance::app {

class LineConsole final : public Console {
 public:
  explicit LineConsole(Loop& loop, int descriptor = 0) : descriptor_(descriptor), input_(descriptor), worker_(loop, "terminal") {}
  ~LineConsole() override { input_.wake(); }

  Task<Typed> line(std::string prompt) override;
  Task<Typed> key(std::string prompt) override { return line(std::move(prompt)); }
  void interrupt() override;
  void forget_typed() override;

 private:
  Typed read();  // on the worker's thread

  int descriptor_;
  WakeableInput input_;
  std::string held_;  // of the worker's thread: read, but not handed out
  bool reading_ = false;
  Worker worker_;
};

}  // namespace parlance::app
