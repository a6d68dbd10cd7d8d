// SPDX-License-Identifier: Apache-2.0
// Requests of an agent, answered by the person at a console, or by --approve. Loop thread only.
#pragma once

#include <optional>
#include <string>

#include "apps/parlance/terminal/console.h"
#include "apps/parlance/terminal/following.h"
#include "apps/parlance/terminal/terminal_output.h"
#include "parlance/hub/hub.h"

namespace parlance::app {

class TerminalAsks final : public AskAnswerer {
 public:
  // `approve`: ask (the person), all or none. All arguments outlive this object.
  TerminalAsks(hub::Hub& hub, TerminalOutput& output, Console& console, std::string approve)
      : hub_(hub), output_(output), console_(console), approve_(std::move(approve)) {}

  Task<Result<void>> settle(hub::Ask ask) override;
  bool refused() const { return refused_; }  // a request was refused

 private:
  bool is_open(const std::string& ask) const;
  Task<void> interrupt_when_settled(std::string ask);
  // Read the console while the ask is open. `interrupted`: the ask is settled, or the person pressed Ctrl-C.
  Task<Typed> key(const hub::Ask& ask, std::string prompt);
  Task<Typed> line(const hub::Ask& ask, std::string prompt);
  // Return false after `interrupted`.
  Task<bool> ask_options(const hub::Ask& ask, hub::Answer& given);
  Task<bool> ask_feedback(const hub::Ask& ask, hub::Answer& given);
  Task<bool> ask_questions(const hub::Ask& ask, hub::Answer& given);
  Task<bool> ask_question(const hub::Ask& ask, const hub::Question& question, hub::Answer& given);

  hub::Hub& hub_;
  TerminalOutput& output_;
  Console& console_;
  std::string approve_;
  bool refused_ = false;
};

}  // namespace parlance::app
