// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/gateway.h"

#include "tests/simulator/sentence.h"
#include "tests/simulator/simulated_agent.h"

namespace parlance::simulator {

using namespace std::chrono_literals;

Gateway::Process::Process(Gateway& gateway, std::string name, std::chrono::milliseconds wall_clock_skew)
    : store(gateway.setting_, name,
            [&gateway, start = gateway.starts_] {
              gateway.setting_.loop.post([&gateway, start] {
                if (gateway.starts_ == start) gateway.crash();
              });
            }),
      skew(wall_clock_skew),
      clients(gateway.setting_.loop) {
  hub = std::make_unique<hub::Hub>(
      gateway.setting_.loop, store,
      hub::HubSettings{.wall_clock = [this, &setting = gateway.setting_] { return setting.wall_clock() + skew; },
                       .new_id = [this, name](std::string_view prefix) { return sentence(prefix, name, ++ids); },
                       .runners_changed =
                           [this](const std::vector<hub::RunnerConnection>& connections) {
                             if (runners) runners->take(connections);
                           },
                       .session_unused =
                           [this](const std::string& runner) {
                             if (runners) runners->delete_unused(runner);
                           }});
  hub->add_agent(std::make_unique<SimulatedProvider>(gateway.setting_, Site{.is_gateway = true}));
  pages = std::make_unique<face::PageServer>(gateway.setting_.loop, face::PageSettings{.version = "simulated"});
  runners = std::make_unique<driver::Runners>(gateway.setting_.loop, *hub, "simulated");
}

Gateway::Gateway(Setting& setting, std::string name) : setting_(setting), name_(std::move(name)) {}

std::chrono::milliseconds Gateway::any_skew() {
  const Duration most = setting_.faults.largest_clock_skew;
  return std::chrono::duration_cast<std::chrono::milliseconds>(setting_.random.between(-most, most));
}

void Gateway::start() {
  if (process_) return;
  ++starts_;
  lost_lease_ = false;
  process_ = std::make_unique<Process>(*this, sentence(name_, starts_, "_"), any_skew());
  tasks().start(come_up());
}

Task<void> Gateway::come_up() {
  const Result<void> started = co_await process_->hub->start();
  if (started) {
    up_ = true;
  } else {  // as a supervisor, which starts the program again
    setting_.loop.post([this, start = starts_] {
      if (starts_ == start) crash();
    });
  }
}

void Gateway::crash() {
  if (!process_) return;
  up_ = false;
  // The lease may end before the process learns of it.
  process_->store.end();
  process_.reset();
}

void Gateway::end_gracefully() {
  if (!up_) return;
  up_ = false;
  tasks().start(go_down());
}

Task<void> Gateway::go_down() {
  co_await process_->hub->stop_all();
  setting_.loop.post([this, start = starts_] {
    if (starts_ == start) crash();
  });
}

}  // namespace parlance::simulator
