// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/runner.h"

#include <utility>

#include "parlance/wire_form/event_tables.h"
#include "tests/simulator/flaky_connection.h"
#include "tests/simulator/sentence.h"
#include "tests/simulator/simulated_agent.h"

namespace parlance::simulator {

using namespace std::chrono_literals;

Runner::Process::Process(Runner& runner, std::string name)
    : hub(runner.setting_.loop, runner.store_,
          {.wall_clock = [&setting = runner.setting_] { return setting.wall_clock(); },
           .new_id = [this, name](std::string_view prefix) { return sentence(prefix, name, ++ids); },
           .asks_everything = true}),
      sessions(hub::UserHub(hub)),
      frontend(runner.setting_.loop, sessions,
               {.version = "simulated",
                .check_folder = [](std::string, std::string folder) -> Task<Result<std::string>> { co_return folder; }}),
      offer(runner.offer_,
            {.folders = runner.folders_,
             .names = runner.names_,
             .wanted = [](std::vector<std::string>, bool) -> Task<void> { co_return; }},  // deletes no sessions
            [] {}),
      tasks(runner.setting_.loop) {
  hub.add_agent(std::make_unique<SimulatedProvider>(runner.setting_, Site{.has_lied = runner.has_lied_}));
}

Runner::Runner(Setting& setting, std::string id, std::string name, hub::CallerPtr user, std::function<Gateway*()> gateway)
    : setting_(setting),
      id_(std::move(id)),
      offer_{.name = std::move(name),
             .account = "simulated",
             .host = "host",
             .agents = {{.id = "simulated", .name = "Simulated"}},
             .folders = {"/project"},
             .version = "simulated"},
      user_(std::move(user)),
      gateway_(std::move(gateway)),
      store_(wire_form::event_json),
      folders_(setting.loop, offer_.folders),
      names_(setting.loop),
      scope_(setting.loop) {
  scope_.start(live());
}

Task<void> Runner::live() {
  const Faults& faults = setting_.faults;
  Random& random = setting_.random;
  for (;;) {
    co_await sleep_for(setting_.loop, random.between(0s, faults.longest_outage));
    has_lied_ = random.chance(faults.lying_runner) ? std::make_shared<bool>(false) : nullptr;
    process_ = std::make_unique<Process>(*this, sentence(id_, ++starts_, "_"));
    process_->tasks.start(work(*process_));
    bool dies = false;
    while (!process_->ended && !dies) {
      co_await sleep_for(setting_.loop, 1s);
      dies = random.chance(std::chrono::duration<double>(1s) / faults.runner_crash_interval);
    }
    if (!dies) co_await process_->hub.stop_all();
    // Its person starts a refused runner again.
    const Duration pause = process_->offer.refused() ? random.between(30s, 5min) : 0s;
    process_.reset();
    co_await sleep_for(setting_.loop, pause);
  }
}

Task<void> Runner::work(Process& process) {
  if (co_await process.hub.start()) {
    if (Gateway* const gateway = gateway_(); gateway != nullptr) {
      auto [near, far] = runner_connection(setting_, process.tasks, has_lied_);
      gateway->serve_runner(std::move(far), user_);
      static_cast<void>(co_await process.frontend.serve(std::move(near), acp::Flavour::standard, &process.offer));
    }
  }
  process.ended = true;
}

}  // namespace parlance::simulator
