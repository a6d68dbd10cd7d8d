// SPDX-License-Identifier: Apache-2.0
// The lines between a service process and its supervisor (`parlance up`), over the pipes of stdin and stdout. The service prints
// a JSON line when ready. The supervisor asks for a sign of life, and the service repeats the question: a pipe stays usable when
// all connections and descriptors are taken. The gateway also reads the state of the other services. A service ends when its
// stdin ends, so that the service never outlives the supervisor. A service started by a person prints plain text instead.
#pragma once

#include <csignal>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "parlance/async/channel.h"
#include "parlance/async/loop.h"
#include "parlance/async/scope.h"
#include "parlance/async/signals.h"
#include "parlance/base/result.h"

namespace parlance::app {

inline constexpr const char* supervised_variable = "PARLANCE_SUPERVISED";
bool is_supervised();

// Other processes of the same account, such as agents and commands, cannot read the environment and the memory of this process,
// attach a debugger or get a core dump. PARLANCE_DUMPABLE=1 in the environment permits these.
void keep_memory_to_ourselves();

// {"ready":"agent","address":"unix:/…","pid":7} or "parlance agent: ready on unix:/…".
void announce_ready(const std::string& service, const std::string& address, const std::string& words);

// How a service is, in a line from the supervisor to the gateway: {"service":"embed","up":true,"detail":"http://…"}.
struct ServiceUpdate {
  std::string service{};
  bool up = false;
  std::string detail{};
};
std::string update_line(const ServiceUpdate& update);
std::optional<ServiceUpdate> read_update(std::string_view line);

// "{"alive":7}": question number 7, and its answer.
std::string alive_line(std::uint64_t number);
std::optional<std::uint64_t> read_alive(std::string_view line);

// SIGINT, SIGTERM or the supervisor's end. Created before any resource that needs a cleanup, and before the announcement of
// readiness: from then on, a signal is kept for the waiter.
class EndWatch {
 public:
  explicit EndWatch(Loop& loop) : loop_(loop), signals_(loop, {SIGINT, SIGTERM}), ended_(loop), scope_(loop) {}
  // `on_line` receives the supervisor's lines, except its questions. Both continue after the return, until the object is
  // destroyed: a slowly ending service still answers.
  Task<void> wait(std::function<void(std::string_view line)> on_line = {});

 private:
  Task<void> read_lines();
  Task<void> watch_signals();
  void take(std::string_view line);

  Loop& loop_;
  SignalWatch signals_;
  std::function<void(std::string_view line)> on_line_;
  Signal ended_;
  bool end_requested_ = false;
  Scope scope_;  // goes first
};

}  // namespace parlance::app
