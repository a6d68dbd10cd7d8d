// SPDX-License-Identifier: Apache-2.0
// Scenario files: scripted conversations, for demonstrations and tests. Format: docs/howto/rehearsal.md. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/model/rehearsal/rehearsal_step.h"

namespace parlance::model::rehearsal {

struct ScenarioCall {
  std::string name{};
  std::string arguments{};  // JSON text of an object.
};
struct ScenarioStep {
  std::string think{};
  std::string say{};
  std::vector<ScenarioCall> calls{};
  std::optional<StopReason> stop{};
  std::optional<Error> error{};
  std::optional<std::chrono::milliseconds> pace{};
};
struct ScenarioStage {  // A step, with its replacements after failed calls.
  ScenarioStep step{};
  std::optional<ScenarioStep> refused{};
  std::optional<ScenarioStep> failed{};
};
struct ScenarioTurn {
  std::string user{};                   // The person's text contains it, in any case; empty: any text.
  std::optional<std::size_t> number{};  // Only the n-th message of the person.
  std::vector<ScenarioStage> steps{};
};
struct Scenario {
  bool announce = true;
  std::vector<ScenarioTurn> turns{};
};

Result<Scenario> parse_scenario(std::string_view json);
// Errors: not_found and denied for the file, invalid_params for its content; the text names the file and the place.
Result<Scenario> load_scenario(const std::string& path);

// Absent: no turn of the scenario matches this message.
std::optional<Step> scenario_step(const Scenario& scenario, const Turn& turn);

}  // namespace parlance::model::rehearsal
