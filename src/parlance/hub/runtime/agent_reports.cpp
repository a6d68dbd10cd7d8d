// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/agent_reports.h"

#include <algorithm>
#include <utility>

namespace parlance::hub {

void AgentReports::set_mode(Room& room, Mode mode) {
  if (room.live.mode == mode) return;
  room.live.mode = mode;
  room.log.append(event::ModeChanged{.mode = mode});
  room.touch();
  requests_.decide_again();
}

void AgentReports::set_options(Room& room, std::vector<AgentOption> options) {
  const std::vector<AgentOption> before = room.live.options.value_or(std::vector<AgentOption>{});
  if (before == options) return;
  for (const AgentOption& option : options) {
    const auto same = std::ranges::find(before, option.id, &AgentOption::id);
    if (same == before.end() || same->value == option.value) continue;
    room.log.append(event::OptionChanged{.id = option.id, .name = option.name, .value = option.value, .by = "agent"});
  }
  room.live.options = std::move(options);
  room.touch();
}

void AgentReports::set_native_session(Room& room, std::string id) {
  NativeSession session{.id = std::move(id)};
  if (room.live.native_session == session) return;
  room.live.native_session = std::move(session);
  room.touch();
}

void AgentReports::set_waits_for(Room& room, std::string what) {
  const std::optional<std::string> now = what.empty() ? std::nullopt : std::optional(std::move(what));
  if (room.live.waits_for == now) return;
  room.live.waits_for = now;
  room.shown.waits_for = now;
  publisher_.publish_row(room);
}

}  // namespace parlance::hub
