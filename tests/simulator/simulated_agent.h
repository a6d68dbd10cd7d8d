// SPDX-License-Identifier: Apache-2.0
// An agent that does something else in each step: says something, asks a person, carries out calls, waits, dies, hangs or lies.
#pragma once

#include <memory>
#include <string>

#include "parlance/async/channel.h"
#include "parlance/hub/agent.h"
#include "tests/simulator/gateway.h"

namespace parlance::simulator {

class SimulatedProvider final : public hub::AgentProvider {
 public:
  explicit SimulatedProvider(Setting& setting) : setting_(setting) {}
  hub::AgentInfo info() const override { return {.id = "simulated", .name = "Simulated", .modes = {hub::Mode::default_}}; }
  Task<Result<std::unique_ptr<hub::Agent>>> open(hub::Conversation conversation, hub::AgentHost host) override;

 private:
  Setting& setting_;
};

}  // namespace parlance::simulator
