// SPDX-License-Identifier: Apache-2.0
// A person's page: the client of the page protocol, on a flaky connection to any gateway. Reconnects as the program does.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "parlance/async/scope.h"
#include "parlance/driver/page/remote_hub.h"
#include "tests/simulator/gateway.h"
#include "tests/simulator/setting.h"

namespace parlance::simulator {

class Page {
 public:
  // `gateway`: the load balancer; null: no gateway is up.
  Page(Setting& setting, hub::CallerPtr caller, std::function<Gateway*()> gateway);

  enum class State : std::uint8_t { opening, open, failed };  // failed: the person opens another page
  State state() const { return state_; }
  hub::UserHub hub() { return remote_.hub(); }
  Scope& tasks() { return tasks_; }

 private:
  Task<void> open();
  Task<Result<std::unique_ptr<Frames>>> connect();

  Setting& setting_;
  hub::CallerPtr caller_;
  std::function<Gateway*()> gateway_;
  State state_ = State::opening;
  Scope connections_;
  driver::RemoteHub remote_;
  Scope tasks_;  // destroyed first
};

}  // namespace parlance::simulator
