// SPDX-License-Identifier: Apache-2.0
// Settings derived from several settings: the agent's default socket, the address from OPENCLAW_HOST and _PORT, the model chosen
// by a URL or a key. Part of resolve_settings.
#pragma once

#include <string>
#include <vector>

#include "apps/parlance/config/settings.h"
#include "parlance/transport/socket_peers.h"

namespace parlance::app {

// Where Go programs look for the agent.
inline constexpr std::string_view seed_agent_socket = "/tmp/ocg-agent.sock";

// In $XDG_RUNTIME_DIR, the person's own folder, if set; otherwise in a private folder.
std::string usual_agent_socket();

// Fills in missing settings, with an origin for the reason. Never changes a person's choice.
void complete_settings(Settings& settings);

// The permitted owners of the agent's socket besides this user: --agent-user. The settings have been checked.
SocketPeers agent_peers(const Settings& settings);

// Given settings without effect, in sentences: a key unused by the chosen model.
std::vector<std::string> ignored_settings(const Settings& settings);

// "PARLANCE_API_KEY", "--model-key-file", or empty: where the model's key comes from. The key itself is not looked at.
std::string model_key_origin(const Settings& settings);

}  // namespace parlance::app
