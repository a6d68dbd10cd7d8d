// SPDX-License-Identifier: Apache-2.0
// docs/agents.md: a table with a row for each step and a column for each agent, and a list of differences for each agent. A run of the
// test has the results of one agent, and compares the page with the results. PARLANCE_WRITE_TABLES=1 writes the page instead.
#pragma once

#include <string>
#include <vector>

namespace parlance::test {

struct StepResult {
  std::string step{};
  std::string cell{};   // "works", "differs", "none" or "agent's fault"
  std::string words{};  // empty for "works"
};

// `version`: the line below the heading of the agent. Failures become failures of the running test.
void hold_page(const std::string& agent, const std::string& version, const std::vector<StepResult>& results);

}  // namespace parlance::test
