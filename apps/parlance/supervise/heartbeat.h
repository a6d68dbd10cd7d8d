// SPDX-License-Identifier: Apache-2.0
// Decides whether a silent service hangs or is only late. Free of I/O: the caller reports the outcome of each question, and the
// system's state of the process.
//
// A busy machine is no reason for a restart: a runnable process counts as hanging only after it has had processor time for an
// answer. A waiting or stopped process needs no processor time.
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>

#include "parlance/base/clock.h"

namespace parlance::app {

// Of the main thread, where the loop runs.
struct ProcessSample {
  char state = 'S';      // from /proc: R runs, S waits, D waits for a disk, T is stopped, t is stopped by a debugger
  Duration processor{};  // used processor time
};
std::optional<ProcessSample> sample_process(pid_t pid);  // no value: the process has ended

class Heartbeat {
 public:
  enum class Verdict { fine, late, hanging };
  void answered() { missed_ = 0; }
  // A question from `asked` is still unanswered. `before`: the process at the time of the question.
  Verdict missed(TimePoint asked, TimePoint now, const ProcessSample& before, const ProcessSample& after);
  // The message for a person: "no answer for 4.6 s: it was stopped by a signal".
  std::string reason(TimePoint now) const;
  bool is_late() const { return missed_ != 0; }

 private:
  int missed_ = 0;
  TimePoint since_{};          // the first question without an answer
  Duration processor_then_{};  // … and the used processor time at that point
  Duration processor_since_{};
  bool wanted_to_run_ = false;  // at the end of a question
  char state_ = 'S';
};

}  // namespace parlance::app
