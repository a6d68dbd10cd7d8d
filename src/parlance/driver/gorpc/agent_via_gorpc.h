// SPDX-License-Identifier: Apache-2.0
// Our own agent (or any program that serves docs/protocol/gorpc.md) as an agent of the hub. Its tool loop runs here: Chat, run the
// tools that it asks for under the hub's policy, Chat again with the results, until there is content or the limit is reached.
// Loop thread only; link and tools outlive the provider.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "parlance/driver/gorpc/agent_link.h"
#include "parlance/hub/agent.h"
#include "parlance/toolbox/tool_hooks.h"

namespace parlance::driver {

struct GorpcAgentSettings {
  std::string id = "parlance";
  std::string name = "parlance";
  bool scripted = false;
  std::string unavailable{};  // why no conversation can use it, although its program runs; empty: one can
  std::vector<std::string> models{};
  const toolbox::ToolHooksPort* hooks = nullptr;  // of who serves a host; outlives the provider
  // Turns go on when this program, or the agent, is started anew: for a program that is (docs/decisions/0032-a-turn-outlives-its-gateway.md).
  bool turns_go_on = false;
  // Until the tools are all there, before a turn of before goes on; empty: they are.
  std::function<Task<Result<void>>()> tools_are_there{};
  // Tools that are missing, one sentence per line; empty text: none. A turn begins with a notice about them when the text is new.
  std::function<std::string()> tool_problems{};
};

std::unique_ptr<hub::AgentProvider> agent_via_gorpc(Loop& loop, AgentLink& link, hub::Tools& tools, GorpcAgentSettings settings);

}  // namespace parlance::driver
