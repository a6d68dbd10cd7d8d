// SPDX-License-Identifier: Apache-2.0
// The id by which iFlow names a sub-agent: `subagent-TASK-INDEX-TIME`, where TASK may hold dashes of its own. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parlance::adapter {

struct SubAgentId {
  std::string agent_id{};  // the whole id, unchanged
  std::optional<std::string> task_id{};
  std::optional<std::int64_t> index{};
  std::optional<std::int64_t> timestamp{};  // milliseconds since 1970
  friend bool operator==(const SubAgentId&, const SubAgentId&) = default;
};

// An id of another form has only `agent_id`. The tasks "null" and "undefined" count as absent: agents write these for unknown
// tasks.
SubAgentId read_sub_agent_id(std::string_view id);
std::string make_sub_agent_id(std::string_view task_id, std::int64_t index, std::int64_t timestamp);

}  // namespace parlance::adapter
