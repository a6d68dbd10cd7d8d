// SPDX-License-Identifier: Apache-2.0
// The plan of an agent: its tasks in order. Values; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace parlance::hub {

enum class PlanStatus : std::uint8_t { pending, in_progress, completed };
enum class PlanPriority : std::uint8_t { high, medium, low };

struct PlanEntry {
  std::string content{};
  PlanStatus status = PlanStatus::pending;
  PlanPriority priority = PlanPriority::medium;
  friend bool operator==(const PlanEntry&, const PlanEntry&) = default;
};

namespace event {

// The whole plan, each time: replaces the earlier plan.
struct Plan {
  std::vector<PlanEntry> entries{};
  friend bool operator==(const Plan&, const Plan&) = default;
};

}  // namespace event

}  // namespace parlance::hub
