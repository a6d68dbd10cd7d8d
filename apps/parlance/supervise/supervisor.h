// SPDX-License-Identifier: Apache-2.0
// Keeps the service processes of `parlance up` running. Starts them, reads their ready lines, repeatedly checks their health,
// kills hanging processes, restarts dead processes (with a growing pause), and finally stops them. Loop thread only.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/async/scope.h"
#include "parlance/process/child_process.h"
#include "parlance/process/limits.h"

namespace parlance::app {

struct ServiceState {
  std::string name;
  bool ready = false;
  std::string address{};  // from its ready line, also while down
  pid_t pid = 0;
  int restarts = 0;
  std::string last_end{};      // the reason of its last end
  std::string late{};          // the reason for lateness: "no answer for 2.4 s: …"; empty while answering
  std::uint64_t asked = 0;     // number of the last health question, across all its processes; 0: none yet
  std::uint64_t answered = 0;  // number of the last answered question
};

struct ServiceSpec {
  std::string name;                                        // "agent"
  std::vector<std::string> command;                        // program and arguments
  std::vector<std::pair<std::string, std::string>> set{};  // environment
  Withheld withheld = Withheld::credentials;               // … and our secrets withheld from the service,
  std::vector<std::string> passed{};                       // … except these variables
  // The command after the first readiness; none: the same. A gateway on a free port must return on the same port, or no page
  // finds the gateway again.
  std::function<std::vector<std::string>(const ServiceState&)> command_again{};
  bool asked = true;  // whether to check a ready service (alive_line in supervised.h)
  // With heartbeat.cpp: a hanging service is detected after 4.6 s, and questions are cheap.
  std::chrono::milliseconds ask_pause{1000};                        // after an answer
  std::chrono::milliseconds answer_patience{1200};                  // for a question
  std::chrono::milliseconds term_grace = limits::child_term_grace;  // after SIGTERM, before SIGKILL
};

class Supervisor {
 public:
  using OnChange = std::function<void(const ServiceState&)>;
  Supervisor(Loop& loop, OnChange on_change);
  ~Supervisor();

  void start(ServiceSpec spec);
  // True once all are ready; false with the reason if a service ended before its readiness.
  Task<Result<void>> all_ready();
  Task<void> stop_all();
  // A line on the stdin of a service, if its pipe accepts the line now.
  void send(const std::string& service, std::string line);
  const std::vector<std::unique_ptr<ServiceState>>& services() const { return states_; }

 private:
  Task<void> keep(ServiceSpec spec, ServiceState& state);
  struct StderrLines;
  Task<void> run_once(const ServiceSpec& spec, ServiceState& state, ChildProcess& child, StderrLines& lines);
  Task<void> read_lines(ByteStream& stream, ServiceState& state);
  void take_line(std::string_view line, ServiceState& state);
  Task<void> report_wait(StderrLines& lines);
  Task<void> watch_life(const ServiceSpec& spec, ServiceState& state, ChildProcess& child);
  Task<Result<void>> ask(const ServiceSpec& spec, ServiceState& state);

  Loop& loop_;
  OnChange on_change_;
  std::vector<std::unique_ptr<ServiceState>> states_;
  std::vector<ChildProcess*> children_;
  std::map<std::string, ByteStream*> streams_;  // of running services
  Signal changed_;
  bool stopping_ = false;
  Scope scope_;
};

}  // namespace parlance::app
