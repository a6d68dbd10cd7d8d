// Keeps the service processes of `parlance up` running: starts them, reads their ready lines, starts again what died (with a growing
// pause), stops them in the end. Loop thread only.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "async/channel.h"
#include "async/scope.h"
#include "base/limits.h"
#include "transport/child_process.h"

namespace parlance::app {

struct ServiceState {
  std::string name;
  bool ready = false;
  std::string address{};  // from its ready line, also while it is down
  pid_t pid = 0;
  int restarts = 0;
  std::string last_end{};  // why it ended the last time
};

struct ServiceSpec {
  std::string name;                                        // "agent"
  std::vector<std::string> command;                        // program and arguments
  std::vector<std::pair<std::string, std::string>> set{};  // environment
  // The command of every start after it was ready once; none: the same. A gateway that picked a free port has to come back on it,
  // or no page finds it again.
  std::function<std::vector<std::string>(const ServiceState&)> command_again{};
  std::chrono::milliseconds term_grace = limits::child_term_grace;  // after SIGTERM, before SIGKILL
};

class Supervisor {
 public:
  using OnChange = std::function<void(const ServiceState&)>;
  Supervisor(Loop& loop, OnChange on_change);
  ~Supervisor();

  void start(ServiceSpec spec);
  // True once all are ready; false with the reason when one of them has ended before it ever was.
  Task<Result<void>> all_ready();
  Task<void> stop_all();
  const std::vector<std::unique_ptr<ServiceState>>& services() const { return states_; }

 private:
  Task<void> keep(ServiceSpec spec, ServiceState& state);
  Task<void> read_ready_line(ByteStream& stream, ServiceState& state);

  Loop& loop_;
  OnChange on_change_;
  std::vector<std::unique_ptr<ServiceState>> states_;
  std::vector<ChildProcess*> children_;
  Signal changed_;
  bool stopping_ = false;
  Scope scope_;
};

}  // namespace parlance::app
