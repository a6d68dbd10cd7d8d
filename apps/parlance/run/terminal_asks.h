// Asks of an agent, answered by the person at the terminal, or by what --approve says. Loop thread only; reading a line waits on a
// thread of its own.
#pragma once

#include <optional>
#include <string>

#include "apps/parlance/run/terminal_output.h"
#include "parlance/async/worker.h"
#include "parlance/hub/hub.h"

namespace parlance::app {

class TerminalAsks {
 public:
  // `approve`: ask (the person), all or none.
  TerminalAsks(Loop& loop, hub::Hub& hub, TerminalOutput& output, std::string approve)
      : hub_(hub), output_(output), approve_(std::move(approve)), input_(loop, "terminal") {}

  // Asked and answered. Errors: what the hub says of an answer, except that somebody else was first.
  Task<Result<void>> settle(hub::Ask ask);
  bool refused() const { return refused_; }  // one of them was answered with a no

 private:
  Task<std::optional<std::string>> read_line(std::string prompt);
  Task<void> ask_options(const hub::Ask& ask, hub::GivenAnswer& given);
  Task<void> ask_questions(const hub::Ask& ask, hub::GivenAnswer& given);

  hub::Hub& hub_;
  TerminalOutput& output_;
  std::string approve_;
  bool refused_ = false;
  Worker input_;
};

}  // namespace parlance::app
