// SPDX-License-Identifier: Apache-2.0
// A simulated agent. Each step of a turn writes text, requests permission for a call, waits, dies, hangs or lies.
#pragma once

#include <memory>
#include <string>

#include "parlance/async/channel.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/hub/conversation/agent_info.h"
#include "tests/simulator/setting.h"

namespace parlance::simulator {

class SimulatedProvider final : public hub::AgentProvider {
 public:
  explicit SimulatedProvider(Setting& setting) : setting_(setting) {}
  hub::AgentInfo info() const override { return {.id = "simulated", .name = "Simulated", .modes = {hub::Mode::default_}}; }
  Task<Result<std::unique_ptr<hub::Agent>>> open(hub::SessionSetup setup, hub::AgentHost host) override;

 private:
  Setting& setting_;
};

}  // namespace parlance::simulator
