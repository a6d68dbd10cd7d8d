// SPDX-License-Identifier: Apache-2.0
// iFlow as a program of ours: found, started on a free port, watched until it answers, stopped with all that it started. Loop thread
// only. Destroying the manager kills what runs.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/async/scope.h"
#include "parlance/driver/iflow/installation.h"
#include "parlance/driver/iflow/limits.h"
#include "parlance/process/child_process.h"

namespace parlance::driver {

struct StartInfo {
  std::string program{};                                           // Node, or iFlow itself
  std::string script{};                                            // what Node runs; empty: nothing
  unsigned short port = limits::iflow_port;                        // the first that is tried
  std::vector<std::pair<std::string, std::string>> environment{};  // beside ours
};

struct StartedIflow {
  std::string url{};  // ws://localhost:PORT/acp
  unsigned short port = 0;
  bool answered = false;  // false: it runs, but nobody has answered yet; whoever connects will see
};

// How patient a start is; for tests, which have less time.
struct StartTimes {
  std::chrono::milliseconds probe_delay = limits::iflow_probe_delay;
  std::chrono::milliseconds probe_interval = limits::iflow_probe_interval;
  int probes = limits::iflow_probes;
  std::chrono::milliseconds patience = limits::iflow_start_patience;
};

class ProcessManager {
 public:
  // What is installed is shared with whoever else starts it; null: as this process sees it.
  explicit ProcessManager(Loop& loop, std::shared_ptr<IflowInstallation> installation = nullptr, Told told = told_to_log(),
                          StartTimes times = {});
  ~ProcessManager();
  ProcessManager(const ProcessManager&) = delete;
  ProcessManager& operator=(const ProcessManager&) = delete;

  // As IflowInstallation::start_mode; nothing leaves it to `start_alone`.
  Task<std::optional<StartInfo>> resolve_start_mode(std::string node_path, unsigned short port = limits::iflow_port);
  Task<std::optional<FoundIflow>> auto_detect() { return installation_->found(); }
  void clear_auto_detect_cache() { installation_->forget(); }

  // A process that runs already is stopped first. Errors: not_found, denied, overloaded (of the start itself, or none of
  // limits::iflow_ports is free), failed (it ended; the text has its last words).
  Task<Result<StartedIflow>> start(StartInfo info, std::string folder);
  // The program itself, without Node before it. Error: not_found (nothing is installed, and what to do).
  Task<Result<StartedIflow>> start_alone(unsigned short port, std::string folder);
  // SIGTERM to the group, SIGKILL after limits::iflow_term_grace, and then whatever left the group.
  Task<void> stop();
  bool has_process() const { return child_ != nullptr && !child_->exit_status(); }
  pid_t pid() const { return child_ == nullptr ? -1 : child_->pid(); }

 private:
  Task<void> read_output();
  void heard(std::string_view output);
  Task<Result<void>> become_ready(std::string url);
  Task<Result<void>> until_it_speaks();
  void kill_what_left();

  Loop& loop_;
  std::shared_ptr<IflowInstallation> installation_;
  Told told_;
  StartTimes times_;
  std::string mark_;
  bool spoke_ = false;  // it said that it listens
  Signal spoken_;
  std::string line_;
  std::unique_ptr<ChildProcess> child_;
  std::unique_ptr<ByteStream> output_;
  Scope scope_;
};

// The first port from `first` on that nobody listens on, on neither of the loopback addresses.
std::optional<unsigned short> free_port(unsigned short first, unsigned short count = limits::iflow_ports);

// Whether somebody there accepts WebSockets; closed again at once.
Task<bool> answers_websocket(Loop& loop, std::string url, std::chrono::milliseconds patience = limits::iflow_probe_patience);

}  // namespace parlance::driver
