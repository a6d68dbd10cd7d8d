// SPDX-License-Identifier: Apache-2.0
// The flags of a Claude Code host, and their effects. Each version of a host brings others: unsupported flags are reported on
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

std::vector<std::string> tools_of(const claude::Flags& flags, std::string_view flag);  // the names behind the flag
// Errors of all of these: invalid_params or not_found, with the flag.
Result<hub::PromptOptions> options_of(const claude::Flags& flags);
Result<adapter::ClaudeMcpConfig> servers_of(const claude::Flags& flags);
// "" if absent.
Result<std::string> permission_mode_of(const claude::Flags& flags);
bool may_bypass(const claude::Flags& flags);

// Servers of our configuration, under the names for hosts. A host's server replaces a server with the same name.
Result<void> add_configured(const Settings& settings, const claude::Flags& flags, const adapter::ClaudeMcpConfig& of_host,
                            toolbox::ToolsViaMcp& tools);

// Unsupported flags go to a Claude Code behind us…
void pass_on(const claude::Flags& flags, adapter::ClaudeRelay& relay);
// … and agents of ours keep these besides. `output`: null where the agent takes no tools of ours.
Result<void> keep_schema(const claude::Flags& flags, toolbox::StructuredOutput* output);
// Agents of a gateway receive neither: both are reported.
void name_unkept(const claude::Flags& flags);
Result<void> keep_by_ours(const claude::Flags& flags, toolbox::BuiltinTools& tools, hub::PromptOptions& options);

// Folders added by a host during the run; a missing folder is ignored. The tools must outlive the function.
std::function<void(const std::string&)> add_folder_to(toolbox::BuiltinTools& tools);

}  // namespace parlance::app
