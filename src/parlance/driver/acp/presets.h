// Agents that speak ACP and that we know: how each is started, and how one gets it. Constants; any thread.
#pragma once

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
};

std::span<const AcpPreset> acp_presets();
const AcpPreset* find_acp_preset(std::string_view id);  // or null
AcpAgentSettings settings_of(const AcpPreset& preset);

}  // namespace parlance::driver
