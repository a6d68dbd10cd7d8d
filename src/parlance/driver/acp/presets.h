// SPDX-License-Identifier: Apache-2.0
// Agents that speak ACP and that we know: how each is started, and how one gets it. Constants; any thread.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "parlance/driver/acp/settings.h"

namespace parlance::driver {

struct AcpPreset {
  std::string_view id;
  std::string_view name;
  std::string_view command;  // words with blanks between them
  std::string_view install;  // what to do when it is not there
  acp::Flavour flavour = acp::Flavour::standard;
  // Its modes (AgentModes), and the variables that make it start in the asking one. docs/agent_modes.md is the proof.
  std::string_view asks{};
  std::string_view plans{};
  bool asks_always = false;
  std::string_view limit{};
  std::string_view held_option{};                 // NAME=VALUE
  std::array<std::string_view, 2> environment{};  // NAME=VALUE each
};

std::span<const AcpPreset> acp_presets();
const AcpPreset* find_acp_preset(std::string_view id);  // or null
AcpAgentSettings settings_of(const AcpPreset& preset);

}  // namespace parlance::driver
