// SPDX-License-Identifier: Apache-2.0
// The modes of an agent that matter for permission: in which one it asks before it acts, and in which one it plans. Data of a preset, or
// found by the names of its modes. Pure; any thread.
//
// An agent's own mode never replaces the policy of the hub: every agent runs in its asking mode, and the policy answers for the person.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parlance/hub/conversation/conversation.h"

namespace parlance::driver {

// Of a preset these are facts that a test of the real program proves. Empty members: found by name.
struct AgentModes {
  std::string asks{};        // id of the mode in which it asks before it acts
  std::string plans{};       // id of its mode for plans; empty beside `asks`: it plans in that mode, and is told so in words
  bool asks_always = false;  // it asks without a mode for it
  std::vector<std::pair<std::string, std::string>>
      held_options{};   // options that would lift its questions, at the values that keep them
  std::string limit{};  // one sentence for the person: what it does without a question in its asking mode; empty: nothing known
};

// What the name of a mode means; nothing for a name that is not known here.
std::optional<hub::Mode> hub_mode(std::string_view agent_mode);
std::optional<std::string> asking_mode(std::span<const std::string> offered, const AgentModes& known);
std::optional<std::string> planning_mode(std::span<const std::string> offered, const AgentModes& known);
// In which mode the agent works while the conversation is in `mode`. Nothing: it has no such mode, and stays as it is.
std::optional<std::string> agent_mode(std::span<const std::string> offered, const AgentModes& known, hub::Mode mode);
// The agent asks before it acts, or plans by a mode of its own: then the policy can enforce plan mode.
bool can_enforce_plan(std::span<const std::string> offered, const AgentModes& known);

// Categories of options that decide on permission: the mode of the conversation stands in their place.
inline bool decides_on_permission(std::string_view option_category) {
  return option_category == "mode" || option_category == "permissions";
}

}  // namespace parlance::driver
