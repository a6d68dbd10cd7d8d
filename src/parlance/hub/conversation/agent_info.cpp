// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/conversation/agent_info.h"

#include <algorithm>

namespace parlance::hub {

std::vector<AgentOption> options_in_force(const std::vector<AgentOption>& offered, const std::vector<AgentOption>& chosen) {
  std::vector<AgentOption> all = offered;
  for (const AgentOption& option : chosen) {
    const auto same = std::ranges::find(all, option.id, &AgentOption::id);
    if (same == all.end()) all.push_back(option);
    else *same = option;
  }
  return all;
}

Result<void> check_option(const AgentOption& option, std::string_view value) {
  if (option.kind == OptionType::boolean) {
    if (value == "true" || value == "false") return {};
    return fail(Errc::invalid_params, option.id + " is true or false, not \"" + std::string(value) + "\"");
  }
  if (std::ranges::find(option.values, value, &OptionValue::value) != option.values.end()) return {};
  std::string known;
  for (const OptionValue& option_value : option.values) known += (known.empty() ? "" : ", ") + option_value.value;
  return fail(Errc::invalid_params, option.id + " cannot be \"" + std::string(value) + "\"; it can be " + known);
}

std::string option_value(const std::vector<AgentOption>& options, std::string_view id) {
  const auto found = std::ranges::find(options, id, &AgentOption::id);
  return found == options.end() ? "" : found->value;
}

}  // namespace parlance::hub
