#include "supervisor.h"

#include <array>
#include <cstdio>
#include <unistd.h>

#include "codec/json/value.h"
#include "supervised.h"

namespace parlance::app {
namespace {

using namespace std::chrono_literals;

constexpr auto first_pause = 100ms;
constexpr auto longest_pause = 10s;
// A service that ran for so long has recovered: its next death counts as the first again.
constexpr auto good_run = 30s;
constexpr std::size_t longest_ready_line = 64 << 10;

}  // namespace

Supervisor::Supervisor(Loop& loop, OnChange on_change)
    : loop_(loop), on_change_(std::move(on_change)), changed_(loop), scope_(loop) {}

Supervisor::~Supervisor() { scope_.cancel(); }

void Supervisor::start(ServiceSpec spec) {
  states_.push_back(std::make_unique<ServiceState>(ServiceState{.name = spec.name}));
  ServiceState& state = *states_.back();
  scope_.start(keep(std::move(spec), state));
}

Task<void> Supervisor::keep(ServiceSpec spec, ServiceState& state) {
  Duration pause = first_pause;
  while (!stopping_) {
    const bool again = spec.command_again && !state.address.empty();
    ChildSettings settings{
        .command = again ? spec.command_again(state) : spec.command, .set = spec.set, .term_grace = spec.term_grace};
    settings.set.emplace_back(supervised_variable, "1");
    // What a service says on stderr is for the person who started us, as it stands.
    settings.on_stderr_line = [](BytesView line) {
      const std::string text = std::string(line) + "\n";
      static_cast<void>(::write(STDERR_FILENO, text.data(), text.size()));
    };
    auto child = ChildProcess::start(loop_, std::move(settings));
    const TimePoint began = loop_.now();
    if (child) {
      state.pid = (*child)->pid();
      children_.push_back(child->get());
      const auto stream = (*child)->take_stream();
      co_await read_ready_line(*stream, state);
      const ExitStatus status = co_await (*child)->wait();
      state.last_end = status.describe();
      std::erase(children_, child->get());
    } else {
      state.last_end = child.error().message;
    }
    state.ready = false;
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

// Reads stdout to its end, so that the service never waits for us; its first line says that it is ready.
Task<void> Supervisor::read_ready_line(ByteStream& stream, ServiceState& state) {
  std::string line;
  std::vector<char> buffer(4096);
  for (;;) {
    const auto got = co_await read_some(stream, buffer);
    if (!got || *got == 0) co_return;
    if (state.ready || line.size() > longest_ready_line) continue;
    line.append(buffer.data(), *got);
    const std::size_t end = line.find('\n');
    if (end == std::string::npos) continue;
    if (const auto ready = json::parse(std::string_view(line).substr(0, end)); ready && ready->find("ready") != nullptr) {
      state.address = ready->text_or("address", "");
      state.ready = true;
      changed_.notify_all();
      on_change_(state);
    }
    line.clear();
  }
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
