// SPDX-License-Identifier: Apache-2.0
// A child process with piped stdin, stdout and stderr, in a process group of its own, so that its descendants die with it. The
// three pipes work independently: a full stderr never blocks the child. Loop thread only. Destroying a ChildProcess kills its
// group at once, and the loop reaps it: no zombie, no orphan. The same is true after a SIGKILL of this process (child_guard.h).
// After the end of the child, the rest of its group is killed. Exception: while `stop` waits after SIGTERM, a shell may die
// before its program. The program keeps its time.
//
// The child leads a session of its own: a program that asks for a password at the terminal fails and does not hang. Descriptors
// above 2 are never inherited.
//
// A peer over a child reads `take_stream()`. After the end of the stream, it gives every waiting call the error `co_await
// child.why_it_ended()`. The stream ends with its child, even if a daemon of the child still holds the pipe.
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
  int code = -1;  // Exit code, or -1.
  // Signal that ended the child. Neither code nor signal: other code of this process reaped the child.
  int signal = 0;
  std::string stderr_tail{};     // The last limits::stderr_tail_bytes, unchanged.
  std::string describe() const;  // "exit code 3: last line of stderr", "killed by signal 11 (SIGSEGV)"
};

class ChildProcess {
 public:
  // Errors: not_found (no such program, with PATH in the text; no such folder), denied, failed. Further errors are invalid_params
  // (no command, a NUL in a text) and overloaded (a limit of processes or descriptors). SIGPIPE becomes ignored if it had its default action, so
  // that a write to a dead child does not end this process.
  static Result<std::unique_ptr<ChildProcess>> start(Loop& loop, ChildSettings settings);
  virtual ~ChildProcess() = default;

  virtual pid_t pid() const = 0;
  // The child's stdin and stdout as one stream. Can be taken once. `name()` is "child NAME[PID]". A read ends cleanly with
  // stdout. Without a reader of its stdout, a child waits at a full pipe. The stream may outlive the ChildProcess.
  virtual std::unique_ptr<ByteStream> take_stream() = 0;
  virtual const std::optional<ExitStatus>& exit_status() const = 0;  // Set after the child is reaped and its stderr is read.
  // Any number of waiters. The task may outlive the ChildProcess: the result is then the kill.
  virtual Task<ExitStatus> wait() = 0;
  // Stops the child in steps: close stdin, wait eof_grace, SIGTERM to the group, wait term_grace, SIGKILL to the group. Ends
  // after the child is reaped. Starts when awaited, and continues after the task is destroyed. A second call joins the first.
  virtual Task<ExitStatus> stop() = 0;
  // The end of the stream as the error of every call that waited on it: Errc::disconnected, "claude exited with code 3: last
  // line of stderr". `data` is {"exit_code":3,"stderr":"…"} or {"signal":9,"signal_name":"SIGKILL","stderr":"…"}. Waits up to
  // `patience` for a child that has closed its output. If the child continues, the text says so.
  virtual Task<Error> why_it_ended(std::chrono::milliseconds patience = limits::child_exit_patience) = 0;
  virtual void signal_group(int number) = 0;  // No effect after the child is reaped.
  virtual std::string stderr_tail() const = 0;
};

}  // namespace parlance
