// SPDX-License-Identifier: Apache-2.0
// The built-in agent (or any program that serves docs/protocol/gorpc.md) as an agent of the hub. Its tool loop runs here: Chat,
// run the requested tools under the hub's policy, Chat again with the results, until the agent wants no tool. After each
// `tool_rounds` rounds a person decides whether the turn continues. Loop thread only; link and tools outlive the provider.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "parlance/driver/gorpc/absent_server.h"
#include "parlance/driver/gorpc/agent_link.h"
#include "parlance/driver/gorpc/limits.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/toolbox/tool_hooks.h"

namespace parlance::driver {

struct GorpcAgentSettings {
  std::string id = "parlance";
  std::string name = "parlance";
  bool scripted = false;
  // Completes each description of the agent with values that change at run time; empty: none change.
  std::function<hub::AgentInfo(hub::AgentInfo)> complete{};
  std::string unavailable{};  // why conversations cannot use the agent although its program runs; empty: usable
  std::vector<std::string> models{};
  const toolbox::ToolHooksPort* hooks = nullptr;  // hooks of a host; must outlive the provider
  // Turns continue across restarts of this program and of the agent (docs/decisions/0032-a-turn-outlives-its-gateway.md).
  bool continues_turns = false;
  bool titles = false;  // asks the model for a title after the first turn of a conversation, except a scripted model
  std::uint32_t tool_rounds = limits::tool_rounds;
  // Servers whose tools are missing now; empty: tools come from no servers.
  std::function<std::vector<AbsentServer>()> absent_servers{};
  // Ends when all servers have started or failed, after a bounded time.
  std::function<Task<Result<void>>()> servers_settle{};
  // Missing tools of connected servers, one sentence per line; empty text: none. A turn begins with a notice if the text is new.
  std::function<std::string()> tool_problems{};
};

std::unique_ptr<hub::AgentProvider> agent_via_gorpc(Loop& loop, AgentLink& link, hub::Tools& tools, GorpcAgentSettings settings);

}  // namespace parlance::driver
