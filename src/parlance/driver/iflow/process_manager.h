// SPDX-License-Identifier: Apache-2.0
// Runs iFlow as a child process: finds it, starts it on a free port, waits for its answer, stops it with all its children. Loop
// thread only. The destructor kills a running process.
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
  std::string script{};                                            // the script for Node; empty: none
  unsigned short port = limits::iflow_port;                        // the first attempt
  std::vector<std::pair<std::string, std::string>> environment{};  // added to this process's environment
};

struct StartedIflow {
  std::string url{};  // ws://localhost:PORT/acp
  unsigned short port = 0;
  bool answered = false;  // false: running without an answer; the connection decides
};

// Timeouts of a start; tests use shorter values.
struct StartTimes {
  std::chrono::milliseconds probe_delay = limits::iflow_probe_delay;
  std::chrono::milliseconds probe_interval = limits::iflow_probe_interval;
  int probes = limits::iflow_probes;
  std::chrono::milliseconds patience = limits::iflow_start_patience;
};

class ProcessManager {
 public:
  // The installation is shared with other users; null: a new one for this process.
  explicit ProcessManager(Loop& loop, std::shared_ptr<IflowInstallation> installation = nullptr,
                          Reporter report = report_to_log(), StartTimes times = {});
  ~ProcessManager();
  ProcessManager(const ProcessManager&) = delete;
  ProcessManager& operator=(const ProcessManager&) = delete;

  // Like IflowInstallation::start_mode; no value: use `start_alone`.
  Task<std::optional<StartInfo>> resolve_start_mode(std::string node_path, unsigned short port = limits::iflow_port);
  Task<std::optional<FoundIflow>> auto_detect() { return installation_->found(); }
  void clear_auto_detect_cache() { installation_->forget(); }

  // Stops a running process first. Errors: not_found, denied, overloaded (of the start itself, or all limits::iflow_ports in
  // use), failed (the process ended; with its last output).
  Task<Result<StartedIflow>> start(StartInfo info, std::string folder);
  // The program without Node. Error: not_found (not installed, with the remedy).
  Task<Result<StartedIflow>> start_alone(unsigned short port, std::string folder);
  // SIGTERM to the process group, SIGKILL after limits::iflow_term_grace, then SIGKILL to processes outside the group.
  Task<void> stop();
  bool has_process() const { return child_ != nullptr && !child_->exit_status(); }
  pid_t pid() const { return child_ == nullptr ? -1 : child_->pid(); }

 private:
  Task<void> read_output();
  void take_output(std::string_view output);
  Task<Result<void>> become_ready(std::string url);
  Task<Result<void>> until_ready();
  void kill_remaining();

  Loop& loop_;
  std::shared_ptr<IflowInstallation> installation_;
  Reporter report_;
  StartTimes times_;
  std::string mark_;
  bool spoke_ = false;  // printed a message about listening
  Signal spoken_;
  std::string line_;
  std::unique_ptr<ChildProcess> child_;
  std::unique_ptr<ByteStream> output_;
  Scope scope_;
};

// The first unused port from `first` on, on both loopback addresses.
std::optional<unsigned short> free_port(unsigned short first, unsigned short count = limits::iflow_ports);

// Whether the address accepts WebSockets; closes at once.
Task<bool> answers_websocket(Loop& loop, std::string url, std::chrono::milliseconds patience = limits::iflow_probe_patience);

}  // namespace parlance::driver
