// SPDX-License-Identifier: Apache-2.0
#include "parlance/adapter/acp/agent_id.h"

#include "parlance/base/text.h"

namespace parlance::adapter {

SubAgentId read_sub_agent_id(std::string_view id) {
  constexpr std::string_view prefix = "subagent-";
  SubAgentId out{.agent_id = std::string(id)};
  if (!id.starts_with(prefix)) return out;
  id.remove_prefix(prefix.size());
  const std::size_t last = id.rfind('-');
  if (last == std::string_view::npos || last == 0) return out;
  const std::size_t before = id.rfind('-', last - 1);
  if (before == std::string_view::npos) return out;
  const std::string_view task = id.substr(0, before);
  if (!task.empty() && task != "null" && task != "undefined") out.task_id = task;
  out.index = parse_number<std::int64_t>(id.substr(before + 1, last - before - 1));
  out.timestamp = parse_number<std::int64_t>(id.substr(last + 1));
  return out;
}

std::string make_sub_agent_id(std::string_view task_id, std::int64_t index, std::int64_t timestamp) {
  return "subagent-" + std::string(task_id.empty() ? "null" : task_id) + "-" + std::to_string(index) + "-" +
         std::to_string(timestamp);
}

}  // namespace parlance::adapter
