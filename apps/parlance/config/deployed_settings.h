// SPDX-License-Identifier: Apache-2.0
// What several settings say together: the agent's socket where nobody named one, the address that OPENCLAW_HOST and _PORT spell, the
// model that a URL or a key chooses. Part of resolve_settings.
#pragma once

#include <string>
#include <vector>

#include "apps/parlance/config/settings.h"
#include "parlance/transport/socket_peers.h"

namespace parlance::app {

// Where Go programs look for the agent.
inline constexpr std::string_view seed_agent_socket = "/tmp/ocg-agent.sock";

// In $XDG_RUNTIME_DIR, which is the person's own, where there is one; otherwise theirs.
std::string usual_agent_socket();

// Fills in what nobody gave, with an origin that says why. Nothing that a person chose is changed.
void complete_settings(Settings& settings);

// Who may listen on the agent's socket, beside ourselves: --agent-user. The settings have been checked.
SocketPeers agent_peers(const Settings& settings);

// What was given and does nothing, in sentences: a key that the chosen model does not take.
std::vector<std::string> ignored_settings(const Settings& settings);

// "PARLANCE_API_KEY", "--model-key-file", or empty: where the model's key comes from. The key itself is not looked at.
std::string model_key_origin(const Settings& settings);

}  // namespace parlance::app
