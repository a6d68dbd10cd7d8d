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

class SimulatedProvider final : public hub::AgentProvider {
 public:
  // `has_lied`: of the connection of the agent's runner; null: the connection is honest.
  explicit SimulatedProvider(Setting& setting, std::shared_ptr<bool> has_lied = nullptr)
      : setting_(setting), has_lied_(std::move(has_lied)) {}
  hub::AgentInfo info() const override { return {.id = "simulated", .name = "Simulated", .modes = {hub::Mode::default_}}; }
  Task<Result<std::unique_ptr<hub::Agent>>> open(hub::SessionSetup setup, hub::AgentHost host) override;

 private:
  Setting& setting_;
  std::shared_ptr<bool> has_lied_;
};

}  // namespace parlance::simulator
