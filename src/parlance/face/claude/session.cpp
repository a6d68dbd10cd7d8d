// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/claude/session.h"

#include <utility>
#include <vector>

#include "parlance/adapter/claude/tools.h"
#include "parlance/face/claude/claude_only.h"
#include "parlance/hub/conversation/conversation.h"

namespace parlance::face {
namespace {

std::vector<std::string> tool_names(const ClaudeFrontendSettings& settings) {
  std::vector<std::string> names;
  const hub::Tools* const offered = settings.offered != nullptr ? settings.offered : settings.tools;
  if (offered != nullptr)
    for (const hub::ToolSpec& tool : offered->list()) names.push_back(tool.name);
  return names;
}

}  // namespace

const hub::SessionSetup& ClaudeSession::setup() const { return *hub_.find(settings_.conversation); }

std::string ClaudeSession::permission_mode() const { return mode_.empty() ? adapter::claude_mode(setup().mode) : mode_; }

hub::PromptOptions ClaudeSession::options() const { return toolbox::with_instruction(settings_.options, settings_.output); }

Task<Result<void>> ClaudeSession::change_mode(std::string wanted) {
  if (wanted == "bypassPermissions" && !settings_.may_bypass) co_return fail(no_bypass());
  const hub::Mode mode = wanted == "default" ? hub::Mode::default_ : adapter::hub_mode(wanted, setup().mode);
  PARLANCE_CO_TRY_DO(co_await hub_.submit(settings_.conversation, hub::ChangeSettings{{.mode = mode}}));
  mode_ = wanted;
  json::Object line = lines_.line("system");
  line.set("subtype", "status");
  line.set("status", nullptr);
  line.set("permissionMode", wanted);
  lines_.send(std::move(line));
  co_return Result<void>{};
}

void ClaudeSession::mode_changed(hub::Mode mode) {  // maybe by the agent: a plan was approved
  if (adapter::hub_mode(mode_, mode) != mode) mode_.clear();
}

void ClaudeSession::init(wire::Raw servers) const {
  const claude::SystemInit init{.session_id = settings_.session_id,
                                .cwd = folder(),
                                .tools = tool_names(settings_),
                                .mcp_servers = std::move(servers),
                                .model = model(),
                                .permission_mode = permission_mode(),
                                .version = settings_.version,
                                .uuid = make_uuid()};
  lines_.send("system", init);
}

json::Object ClaudeSession::hook_input(std::string event) const {
  json::Object input;
  input.set("session_id", settings_.session_id);
  input.set("transcript_path", "");
  input.set("cwd", folder());
  input.set("permission_mode", permission_mode());
  input.set("hook_event_name", std::move(event));
  return input;
}

}  // namespace parlance::face
