// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/agent_reports.h"

#include <algorithm>
#include <utility>

#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/mode.h"

namespace parlance::hub {

void AgentReports::set_mode(ConversationRuntime& runtime, Mode mode) {
  if (runtime.current.mode == mode) return;
  runtime.current.mode = mode;
  runtime.log.append(event::ModeChanged{.mode = mode});
  runtime.touch();
  requests_.decide_again();
}

void AgentReports::set_options(ConversationRuntime& runtime, std::vector<AgentOption> options) {
  const std::vector<AgentOption> before = runtime.current.options.value_or(std::vector<AgentOption>{});
  if (before == options) return;
  for (const AgentOption& option : options) {
    const auto same = std::ranges::find(before, option.id, &AgentOption::id);
    if (same == before.end() || same->value == option.value) continue;
    runtime.log.append(event::OptionChanged{.id = option.id, .name = option.name, .value = option.value, .by = "agent"});
  }
  runtime.current.options = std::move(options);
  runtime.touch();
}

void AgentReports::set_agent_session(ConversationRuntime& runtime, std::string id) {
  AgentSession session{.id = std::move(id)};
  if (runtime.current.agent_session == session) return;
  runtime.current.agent_session = std::move(session);
  runtime.touch();
}

void AgentReports::set_waits_for(ConversationRuntime& runtime, std::string what) {
  const std::optional<std::string> now = what.empty() ? std::nullopt : std::optional(std::move(what));
  if (runtime.current.waits_for == now) return;
  runtime.current.waits_for = now;
  runtime.committed.waits_for = now;
  publisher_.publish_row(runtime);
}

}  // namespace parlance::hub
