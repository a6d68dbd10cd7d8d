// SPDX-License-Identifier: Apache-2.0
// The modes of an agent with an effect on permissions: its asking mode and its planning mode. Data of a preset, or found by the
// names of its modes. Pure; any thread.
//
// An agent's own mode never replaces the policy of the hub: every agent runs in its asking mode, and the policy answers for the
// person.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parlance/hub/conversation/mode.h"

namespace parlance::driver {

// A test of the real program proves a preset's values. Empty members: found by name.
struct AgentModes {
  std::string asks{};        // id of the mode with a request before each action
  std::string plans{};       // id of its planning mode; empty beside `asks`: plans in that mode, after an instruction as text
  bool asks_always = false;  // asks in every mode
  std::vector<std::pair<std::string, std::string>>
      held_options{};   // options that could disable its requests, with their safe values
  std::string limit{};  // one sentence for the person: actions without a request in the asking mode; empty: none known
};

// The hub's mode for the name of an agent's mode; no value for an unknown name.
std::optional<hub::Mode> hub_mode(std::string_view agent_mode);
std::optional<std::string> asking_mode(std::span<const std::string> offered, const AgentModes& known);
std::optional<std::string> planning_mode(std::span<const std::string> offered, const AgentModes& known);
// The agent's mode for the conversation's `mode`. No value: no such mode, and the agent keeps its mode.
std::optional<std::string> agent_mode(std::span<const std::string> offered, const AgentModes& known, hub::Mode mode);
// The agent asks before actions, or has a planning mode: then the policy can enforce plan mode.
bool can_enforce_plan(std::span<const std::string> offered, const AgentModes& known);

// Categories of options about permissions: the conversation's mode replaces such options.
inline bool decides_on_permission(std::string_view option_category) {
  return option_category == "mode" || option_category == "permissions";
}

}  // namespace parlance::driver
