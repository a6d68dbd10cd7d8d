// SPDX-License-Identifier: Apache-2.0
// A simulated agent. Each step of a turn writes text, requests permission for a call, waits, dies, hangs or lies.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "parlance/async/channel.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/hub/conversation/agent_info.h"
#include "tests/simulator/setting.h"

namespace parlance::simulator {

// The machine of an agent. `has_lied`: of the connection of its runner; null: the connection is honest.
struct Site {
  bool is_gateway = false;  // rules, options and expiries are in the hub of the agent
  std::shared_ptr<bool> has_lied{};
};

class SimulatedProvider final : public hub::AgentProvider {
 public:
  static constexpr std::size_t option_values = 40;
  SimulatedProvider(Setting& setting, Site site) : setting_(setting), site_(std::move(site)) {}
  hub::AgentInfo info() const override;
  Task<Result<std::unique_ptr<hub::Agent>>> open(hub::SessionSetup setup, hub::AgentHost host) override;

 private:
  Setting& setting_;
  Site site_;
};

}  // namespace parlance::simulator
