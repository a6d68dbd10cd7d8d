// SPDX-License-Identifier: Apache-2.0
// A child process with piped stdin, stdout and stderr, in a process group of its own, so that what it starts dies with it.
// The three pipes are pumped independently: a child that fills stderr never stops because nobody reads it.
// Loop thread only. Destroying a ChildProcess kills its group at once and the loop reaps it: no zombie, no orphan. Nor is there any
// when we are killed with SIGKILL, whatever the child started and however far its start had come: child_guard.h says how.
// When the child ends, what is left of its group is killed: nobody would ever hear of it again. (Exception: while `stop` waits for
// SIGTERM to take effect, a shell may die before the program it runs; that program keeps its time.)
//
// It is also the leader of a session of its own, so that a program which asks for a password at the terminal fails instead of
// stopping for ever. Descriptors above 2 are never inherited.
//
// How a peer over a child composes it: read `take_stream()`; when that ends (cleanly or not), give every waiting call
// `co_await child.why_it_ended()`. The stream ends with its child even when some daemon of it still holds the pipe.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>

#include "parlance/async/loop.h"
#include "parlance/base/result.h"
#include "parlance/process/child_settings.h"
#include "parlance/process/limits.h"
#include "parlance/transport/byte_stream.h"

namespace parlance {

struct ExitStatus {
  int code = -1;                 // exit code, or -1
  int signal = 0;                // or the signal that ended it (neither: somebody else in this process reaped our child)
  std::string stderr_tail{};     // the last limits::stderr_tail_bytes, as they came
  std::string describe() const;  // "exit code 3: last line of stderr", "killed by signal 11 (SIGSEGV)"
};

class ChildProcess {
 public:
  // Errors: not_found (no such program, the text names PATH; no such folder), denied, invalid_params (no command, a NUL in a text),
  // overloaded (no more processes or descriptors), failed. SIGPIPE becomes ignored if it had its default action: a child that ends
  // while we write to it must not end us.
  static Result<std::unique_ptr<ChildProcess>> start(Loop& loop, ChildSettings settings);
  virtual ~ChildProcess() = default;

  virtual pid_t pid() const = 0;
  // The child's stdin and stdout as one stream; yours once. `name()` is "child NAME[PID]". A read ends cleanly when stdout does.
  // A child whose stdout nobody reads waits when its pipe is full. The stream may outlive the ChildProcess.
  virtual std::unique_ptr<ByteStream> take_stream() = 0;
  virtual const std::optional<ExitStatus>& exit_status() const = 0;  // Set once the child is reaped and its stderr read.
  // Any number of waiters. The task may outlive the ChildProcess: it then tells of the kill.
  virtual Task<ExitStatus> wait() = 0;
  // The ladder: close stdin, wait eof_grace, SIGTERM to the group, wait term_grace, SIGKILL to the group. Ends when reaped.
  // Begins when awaited and goes on even if the task is destroyed; a second one joins the first.
  virtual Task<ExitStatus> stop() = 0;
  // Why the stream ended, as the error of every call that waited on it: Errc::disconnected, "claude exited with code 3: last line
  // of stderr"; `data` is {"exit_code":3,"stderr":"…"} or {"signal":9,"signal_name":"SIGKILL","stderr":"…"}. Waits up to `patience`
  // for a child that has closed its output and is about to end; if it goes on, the text says so.
  virtual Task<Error> why_it_ended(std::chrono::milliseconds patience = limits::child_exit_patience) = 0;
  virtual void signal_group(int number) = 0;  // Nothing once the child is reaped.
  virtual std::string stderr_tail() const = 0;
};

}  // namespace parlance
