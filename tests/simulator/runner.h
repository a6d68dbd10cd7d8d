// SPDX-License-Identifier: Apache-2.0
// A simulated runner: a program on another machine that offers an agent to any gateway. Its sessions survive its death, as on a
// disk. Each connection begins a new process, because the program ends all work of a lost connection.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "parlance/async/scope.h"
#include "parlance/face/acp/hub_over_acp.h"
#include "parlance/face/acp/hub_sessions.h"
#include "parlance/face/acp/runner_offer.h"
#include "parlance/hub/hub.h"
#include "parlance/hub/log/in_memory_store.h"
#include "tests/simulator/gateway.h"
#include "tests/simulator/setting.h"

namespace parlance::simulator {

class Runner {
 public:
  // `id`: unique, unlike `name`. `gateway`: the load balancer; null: no gateway is up.
  Runner(Setting& setting, std::string id, std::string name, hub::CallerPtr user, std::function<Gateway*()> gateway);
  // Whether its connection has lied; null: the connection is honest.
  std::shared_ptr<const bool> has_lied() const { return has_lied_; }

 private:
  struct Process {
    Process(Runner& runner, std::string ids);
    int ids = 0;
    hub::Hub hub;
    face::HubSessions sessions;
    face::AcpFrontend frontend;
    face::RunnerOffer offer;
    bool ended = false;  // its connection
    Scope tasks;         // destroyed first
  };
  Task<void> live();
  Task<void> work(Process& process);

  Setting& setting_;
  std::string id_;
  acp::Offer offer_;
  hub::CallerPtr user_;
  std::function<Gateway*()> gateway_;
  hub::InMemoryStore store_;
  workspace::OfferedFolders folders_;
  workspace::FileNames names_;
  int starts_ = 0;
  std::shared_ptr<bool> has_lied_;  // null: the connection is honest
  std::unique_ptr<Process> process_;
  Scope scope_;  // destroyed first
};

}  // namespace parlance::simulator
