// SPDX-License-Identifier: Apache-2.0
// The flags of a host of Claude Code: what we keep of them, and how. Each version of a host brings others: what is not kept is told on
// stderr, which hosts show or keep. Main thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/parlance/config/settings.h"
#include "parlance/adapter/claude/mcp_servers.h"
#include "parlance/adapter/claude/relay.h"
#include "parlance/hub/conversation/prompt.h"
#include "parlance/protocol/claude/flags.h"
#include "parlance/toolbox/builtin_tools.h"
#include "parlance/toolbox/mcp/tools_via_mcp.h"
#include "parlance/toolbox/structured_output.h"

namespace parlance::app {

std::vector<std::string> tools_of(const claude::Flags& flags, std::string_view flag);  // the names behind it
// Errors of all of these: invalid_params or not_found, with the flag.
Result<hub::PromptOptions> options_of(const claude::Flags& flags);
Result<adapter::ClaudeMcpConfig> servers_of(const claude::Flags& flags);
// "" where the host says nothing.
Result<std::string> permission_mode_of(const claude::Flags& flags);
bool may_bypass(const claude::Flags& flags);

// Servers of our configuration, under the names by which hosts know tools. What a host calls the same is the host's.
Result<void> add_configured(const Settings& settings, const claude::Flags& flags, const adapter::ClaudeMcpConfig& of_host,
                            toolbox::ToolsViaMcp& tools);

// What we do not keep goes on to a Claude Code behind us…
void pass_on(const claude::Flags& flags, adapter::ClaudeRelay& relay);
// … and agents of ours keep these besides. `output`: null where the agent takes no tools of ours.
Result<void> keep_schema(const claude::Flags& flags, toolbox::StructuredOutput* output);
// Agents of a gateway are told none of either: those are named.
void name_unkept(const claude::Flags& flags);
Result<void> keep_by_ours(const claude::Flags& flags, toolbox::BuiltinTools& tools, hub::PromptOptions& options);

// Folders that a host adds while we run; one that is not there is nobody's to work in. The tools must outlive it.
std::function<void(const std::string&)> add_folder_to(toolbox::BuiltinTools& tools);

}  // namespace parlance::app
