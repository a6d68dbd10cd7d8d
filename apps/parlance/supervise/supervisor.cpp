// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/supervise/supervisor.h"

#include <array>
#include <csignal>
#include <cstdio>
#include <unistd.h>

#include "apps/parlance/supervise/heartbeat.h"
#include "apps/parlance/supervise/supervised.h"
#include "parlance/codec/json/value.h"

namespace parlance::app {
namespace {

using namespace std::chrono_literals;

constexpr auto first_pause = 100ms;
constexpr auto longest_pause = 10s;
// A service with this run time has recovered: its next end counts as the first again.
constexpr auto good_run = 30s;
constexpr std::size_t longest_ready_line = 64 << 10;  // a ready line has a hundred bytes
// A service that cannot start ends sooner, after its error message.
constexpr auto hold_back = 1s;
// The supervisor itself woke this late: the machine is busy, and an unread answer may have arrived.
constexpr auto woken_late = 300ms;
// The prefix of our programs' errors, replaced here by the program's name.
constexpr std::string_view complaint = "parlance: ";

}  // namespace

Supervisor::Supervisor(Loop& loop, OnChange on_change)
    : loop_(loop), on_change_(std::move(on_change)), changed_(loop), scope_(loop) {}

Supervisor::~Supervisor() { scope_.cancel(); }

void Supervisor::start(ServiceSpec spec) {
  states_.push_back(std::make_unique<ServiceState>(ServiceState{.name = spec.name}));
  ServiceState& state = *states_.back();
  scope_.start(keep(std::move(spec), state));
}

// A service's stderr goes unchanged to the person who started the supervisor. Before readiness, the last line is held back for a
// moment. If the service ends, the line is the reason and appears once, together with the end. If the service continues, the line
// names the cause of the delay.
struct Supervisor::StderrLines {
  static void print(std::string line) {
    line += '\n';
    static_cast<void>(::write(STDERR_FILENO, line.data(), line.size()));
  }
  void take(BytesView line) {
    release();
    if (ready) print(std::string(line));
    else held = line;
  }
  void begin() {
    ready = true;
    release();
  }
  void release() {
    if (held) print(*std::exchange(held, std::nullopt));
  }
  std::optional<std::string> held;
  bool ready = false;
};

Task<void> Supervisor::keep(ServiceSpec spec, ServiceState& state) {
  Duration pause = first_pause;
  while (!stopping_) {
    const bool again = spec.command_again && !state.address.empty();
    ChildSettings settings{.command = again ? spec.command_again(state) : spec.command,
                           .set = spec.set,
                           .withheld = spec.withheld,
                           .passed = spec.passed,
                           .term_grace = spec.term_grace};
    settings.set.emplace_back(supervised_variable, "1");
    StderrLines lines;
    settings.on_stderr_line = [&lines, &state](BytesView line) {
      if (state.ready && !lines.ready) lines.begin();
      lines.take(line);
    };
    auto child = ChildProcess::start(loop_, std::move(settings));
    const TimePoint began = loop_.now();
    if (child) {
      state.pid = (*child)->pid();
      children_.push_back(child->get());
      co_await run_once(spec, state, **child, lines);
      std::erase(children_, child->get());
    } else {
      state.last_end = child.error().message;
    }
    state.ready = false;
    state.late.clear();
    state.pid = 0;
    changed_.notify_all();
    if (stopping_) co_return;
    on_change_(state);
    ++state.restarts;
    if (loop_.now() - began > good_run) pause = first_pause;
    co_await sleep_for(loop_, pause);
    pause = std::min<Duration>(pause * 2, longest_pause);
  }
}

// From its start to its end.
Task<void> Supervisor::run_once(const ServiceSpec& spec, ServiceState& state, ChildProcess& child, StderrLines& lines) {
  const auto stream = child.take_stream();
  streams_[spec.name] = stream.get();
  ExitStatus status;
  {
    Scope beside(loop_);
    if (spec.asked) beside.start(watch_life(spec, state, child));
    beside.start(report_wait(lines));
    co_await read_lines(*stream, state);
    status = co_await child.wait();
  }
  streams_.erase(spec.name);
  if (!state.late.empty()) state.last_end = state.late + ", so it was killed";
  else if (lines.held) state.last_end = lines.held->starts_with(complaint) ? lines.held->substr(complaint.size()) : *lines.held;
  else state.last_end = ExitStatus{.code = status.code, .signal = status.signal}.describe();
}

Task<void> Supervisor::report_wait(StderrLines& lines) {
  while (!lines.ready) {
    const std::optional<std::string> before = lines.held;
    co_await sleep_for(loop_, hold_back);
    if (lines.held == before) lines.release();
  }
}

Task<void> Supervisor::watch_life(const ServiceSpec& spec, ServiceState& state, ChildProcess& child) {
  while (!state.ready) co_await changed_.wait();
  Heartbeat heartbeat;
  while (!stopping_) {
    if (!heartbeat.is_late()) co_await sleep_for(loop_, spec.ask_pause);
    const auto before = sample_process(child.pid());
    const TimePoint asked = loop_.now();
    const TimePoint due = asked + spec.answer_patience;
    if (const auto answer = co_await with_deadline(loop_, due, ask(spec, state)); answer) {
      heartbeat.answered();
      if (!std::exchange(state.late, {}).empty()) on_change_(state);
      continue;
    }
    co_await sleep_until(loop_, due);  // an error may come at once, together with the end
    if (loop_.now() - due > woken_late) continue;
    const auto after = sample_process(child.pid());
    if (stopping_ || !before || !after) co_return;
    const Heartbeat::Verdict verdict = heartbeat.missed(asked, loop_.now(), *before, *after);
    if (verdict == Heartbeat::Verdict::fine) continue;
    state.late = heartbeat.reason(loop_.now());
    if (verdict == Heartbeat::Verdict::hanging) co_return child.signal_group(SIGKILL);
    on_change_(state);
  }
}

// Over the existing pipe: HTTP and sockets need a connection, and a healthy service may have none left.
Task<Result<void>> Supervisor::ask(const ServiceSpec& spec, ServiceState& state) {
  const std::uint64_t number = ++state.asked;
  send(spec.name, alive_line(number));
  while (state.answered < number) co_await changed_.wait();
  co_return Result<void>{};
}

void Supervisor::send(const std::string& service, std::string line) {
  line += '\n';
  if (const auto found = streams_.find(service); found != streams_.end()) static_cast<void>(found->second->try_write(line));
}

// Reads stdout to its end, so that the service never waits for the supervisor.
Task<void> Supervisor::read_lines(ByteStream& stream, ServiceState& state) {
  std::string partial;
  std::vector<char> buffer(4096);
  for (;;) {
    const auto got = co_await read_some(stream, buffer);
    if (!got || *got == 0) co_return;
    partial.append(buffer.data(), *got);
    for (std::size_t end = partial.find('\n'); end != std::string::npos; end = partial.find('\n')) {
      take_line(std::string_view(partial).substr(0, end), state);
      partial.erase(0, end + 1);
    }
    if (partial.size() > longest_ready_line) partial.clear();
  }
}

// The first such line makes the service ready; afterwards only answers count.
void Supervisor::take_line(std::string_view line, ServiceState& state) {
  if (state.ready) {
    const auto number = read_alive(line);
    if (!number || *number <= state.answered || *number > state.asked) return;
    state.answered = *number;
    return changed_.notify_all();
  }
  const auto ready = json::parse(line);
  if (!ready || ready->find("ready") == nullptr) return;
  state.address = ready->text_or("address", "");
  state.ready = true;
  state.late.clear();
  changed_.notify_all();
  on_change_(state);
}

Task<Result<void>> Supervisor::all_ready() {
  for (;;) {
    bool all = true;
    for (const auto& state : states_) {
      if (!state->ready && !state->last_end.empty())
        co_return fail(Errc::failed, state->name + " could not be started: " + state->last_end);
      all = all && state->ready;
    }
    if (all) co_return Result<void>{};
    co_await changed_.wait();
  }
}

Task<void> Supervisor::stop_all() {
  stopping_ = true;
  const auto stop = [](ChildProcess* child) -> Task<void> { static_cast<void>(co_await child->stop()); };
  Scope stopping(loop_);
  for (ChildProcess* child : children_) stopping.start(stop(child));
  co_await stopping.join();
}

}  // namespace parlance::app
