// SPDX-License-Identifier: Apache-2.0
// The id by which iFlow names a sub-agent: `subagent-TASK-INDEX-TIME`, where TASK may hold dashes of its own. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parlance::adapter {

struct SubAgentId {
  std::string agent_id{};  // all of it, as it came
  std::optional<std::string> task_id{};
  std::optional<std::int64_t> index{};
  std::optional<std::int64_t> timestamp{};  // milliseconds since 1970
  friend bool operator==(const SubAgentId&, const SubAgentId&) = default;
};

// An id of another form has nothing but itself. A task called "null" or "undefined" is none: agents write so what they do not know.
SubAgentId read_sub_agent_id(std::string_view id);
std::string make_sub_agent_id(std::string_view task_id, std::int64_t index, std::int64_t timestamp);

}  // namespace parlance::adapter
