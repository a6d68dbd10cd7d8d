// SPDX-License-Identifier: Apache-2.0
// A simulated gateway: a hub with one agent on the shared store, and its servers of pages and runners. A death of the process ends the
// tasks of its clients too.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "parlance/async/scope.h"
#include "parlance/driver/acp/runners.h"
#include "parlance/face/page/hub_over_page.h"
#include "parlance/hub/hub.h"
#include "tests/simulator/flaky_store.h"
#include "tests/simulator/setting.h"

namespace parlance::simulator {

class Gateway {
 public:
  Gateway(Setting& setting, std::string name);

  // Starts the process, unless it runs. The gateway is up as soon as the hub has loaded its conversations.
  void start();
  void crash();
  // Other gateways may claim its conversations from now on, though the process still runs and serves persons.
  void lose_lease() {
    lost_lease_ = true;
    process_->store.end();
  }
  // Moves the wall clock of the process, forward or back.
  void set_clock() { process_->skew = any_skew(); }
  // Ends all turns in good order first.
  void end_gracefully();
  bool up() const { return up_; }
  bool has_lease() const { return up_ && !lost_lease_; }
  bool runs() const { return process_ != nullptr; }
  hub::Hub& hub() { return *process_->hub; }

  void serve_page(std::unique_ptr<Frames> frames, hub::CallerPtr caller) {
    process_->pages->serve(std::move(frames), hub::UserHub(hub(), std::move(caller)));
  }
  void serve_runner(std::unique_ptr<Frames> frames, hub::CallerPtr user) {
    process_->runners->serve(std::move(frames), std::move(user));
  }

  std::size_t runners() const { return process_->runners->connected(); }

  // Tasks of clients, which end with the process.
  Scope& tasks() { return process_->clients; }

 private:
  struct Process {
    Process(Gateway& gateway, std::string name, std::chrono::milliseconds skew);
    FlakyStore store;
    int ids = 0;
    std::chrono::milliseconds skew;  // of the wall clock
    std::unique_ptr<hub::Hub> hub{};
    std::unique_ptr<face::PageServer> pages{};
    std::unique_ptr<driver::Runners> runners{};
    Scope clients;
  };
  std::chrono::milliseconds any_skew();
  Task<void> come_up();
  Task<void> go_down();

  Setting& setting_;
  std::string name_;
  int starts_ = 0;
  bool up_ = false;
  bool lost_lease_ = false;
  std::unique_ptr<Process> process_;
};

}  // namespace parlance::simulator
