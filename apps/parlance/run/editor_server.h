// SPDX-License-Identifier: Apache-2.0
// The person's editor as an MCP server that an agent starts itself: `parlance editor tools`, which connects to the window. Values; any thread.
#pragma once

#include <vector>

#include "apps/parlance/run/make_agent.h"
#include "parlance/driver/editor/window_address.h"

namespace parlance::app {

toolbox::McpServerSettings editor_server(const driver::WindowAddress& window);

// Before the agent is made. A server of the configuration that is called `editor` is left in its place. Errors: of the configuration.
Result<void> offer_editor(const Settings& settings, const driver::WindowAddress& window, AgentHome& home);

// The same with the window in whose terminal this was started, or that started it; without one nothing is offered. A server of a client
// that is called `editor` is left in its place as well.
Result<void> offer_near_editor(const Settings& settings, AgentHome& home);

// Servers of the configuration, and the editor of that window.
Result<std::vector<toolbox::McpServerSettings>> with_near_editor(std::vector<toolbox::McpServerSettings> configured);

}  // namespace parlance::app
