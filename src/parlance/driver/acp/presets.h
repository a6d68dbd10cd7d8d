// SPDX-License-Identifier: Apache-2.0
// Known ACP agents: their commands, their installation and their modes. Constants; any thread.
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
  std::string_view command;  // words separated by blanks
  std::string_view install;  // instruction for a missing program
  acp::Flavour flavour = acp::Flavour::standard;
  // Its modes (AgentModes), and environment variables that start it in the asking mode. docs/agent_modes.md has the proof.
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
