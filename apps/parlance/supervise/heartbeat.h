// SPDX-License-Identifier: Apache-2.0
// Whether a service that gives no answer hangs, or only has not come to it yet. What decides is free of I/O: who asks tells what came
// of each question, and what the system says of the process.
//
// A machine that is busy is no reason to start anything again: a process that wants to run counts as hanging only once it has had
// processor time of its own to answer in. One that waits, or that was stopped, does not need any.
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>

#include "parlance/base/clock.h"

namespace parlance::app {

// Of the main thread, where the loop runs.
struct ProcessSample {
  char state = 'S';      // as /proc has it: R runs, S waits, D waits for a disk, T was stopped, t is looked at by a debugger
  Duration processor{};  // time that it has had
};
std::optional<ProcessSample> sample_process(pid_t pid);  // nothing: it is gone

class Heartbeat {
 public:
  enum class Verdict { fine, late, hanging };
  void answered() { missed_ = 0; }
  // A question was asked at `asked` and has had no answer up to now. `before`: as the process was when it was asked.
  Verdict missed(TimePoint asked, TimePoint now, const ProcessSample& before, const ProcessSample& after);
  // What a person is told: "no answer for 4.6 s: it was stopped by a signal".
  std::string why(TimePoint now) const;
  bool is_late() const { return missed_ != 0; }

 private:
  int missed_ = 0;
  TimePoint since_{};          // the first question without an answer
  Duration processor_then_{};  // … and what it had had by then
  Duration processor_since_{};
  bool wanted_to_run_ = false;  // at the end of one of these questions
  char state_ = 'S';
};

}  // namespace parlance::app
