// SPDX-License-Identifier: Apache-2.0
// The person's editor as an MCP server started by an agent: `parlance editor tools`, which connects to the window. Values; any
// thread.
#pragma once

#include <vector>

#include "apps/parlance/run/make_agent.h"
#include "parlance/driver/editor/window_address.h"

namespace parlance::app {

toolbox::McpServerSettings editor_server(const driver::WindowAddress& window);

// Called before the agent's creation. A configured server with the name `editor` stays. Errors: of the configuration.
Result<void> offer_editor(const Settings& settings, const driver::WindowAddress& window, AgentHome& home);

// The same with the window around the terminal, or the starting window; without a window, adds no server. A client's server with
// the name `editor` stays too.
Result<void> offer_near_editor(const Settings& settings, AgentHome& home);

// Servers of the configuration, and the editor of this window.
Result<std::vector<toolbox::McpServerSettings>> with_near_editor(std::vector<toolbox::McpServerSettings> configured);

}  // namespace parlance::app
