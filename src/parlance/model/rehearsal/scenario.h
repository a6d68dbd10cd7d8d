// SPDX-License-Identifier: Apache-2.0
// Scenario files: conversations written down in advance, for demonstrations and tests. The format is documented in
// docs/howto/rehearsal.md. Values; any thread.
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
  std::string arguments{};  // JSON text of an object
};
struct ScenarioStep {
  std::string think{};
  std::string say{};
  std::vector<ScenarioCall> calls{};
  std::optional<StopReason> stop{};
  std::optional<Error> error{};
  std::optional<std::chrono::milliseconds> pace{};
};
struct ScenarioStage {  // a step, and what replaces it when the calls before it did not go well
  ScenarioStep step{};
  std::optional<ScenarioStep> refused{};
  std::optional<ScenarioStep> failed{};
};
struct ScenarioTurn {
  std::string user{};                   // the person's text contains it, case ignored; "" is any text
  std::optional<std::size_t> number{};  // only the n-th message of the person
  std::vector<ScenarioStage> steps{};
};
struct Scenario {
  bool announce = true;
  std::vector<ScenarioTurn> turns{};
};

Result<Scenario> parse_scenario(std::string_view json);
// Errors: not_found and denied for the file, invalid_params for what is in it; the text names the file and the place.
Result<Scenario> load_scenario(const std::string& path);

// Nothing when no turn of the scenario is meant for this message.
std::optional<Step> scenario_step(const Scenario& scenario, const Turn& turn);

}  // namespace parlance::model::rehearsal
