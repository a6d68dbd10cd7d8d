// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/claude/own_answers.h"

#include <utility>

#include "parlance/codec/json/typed.h"
#include "parlance/face/claude/claude_only.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/protocol/claude/host.h"

namespace parlance::face {

OwnAnswers::OwnAnswers(Loop& loop, hub::UserHub hub, claude::AgentSide& host, const ClaudeFrontendSettings& settings,
                       ClaudeSession& session, ClaudeLines& lines, HostHooks& hooks)
    : hub_(std::move(hub)),
      settings_(settings),
      session_(session),
      lines_(lines),
      hooks_(hooks),
      servers_(loop, host, settings.tools) {
  servers_.add_of_host(settings.servers);
}

Task<Result<wire::Raw>> OwnAnswers::initialize(claude::Initialize request) {
  PARLANCE_CO_TRY_DO(take_servers(request));
  PARLANCE_CO_TRY_DO(without_claude(request, settings_.output));
  hooks_.set(std::move(request.hooks.value));
  if (request.sdk_mcp_servers) servers_.add_of_host(*request.sdk_mcp_servers);
  claude::Initialized reply{.commands = {"[]"},
                            .agents = {"[]"},
                            .output_style = "default",
                            .output_styles = {"default"},
                            .account = {"{}"},
                            .hook_on_failure = true};
  // The SDK ends the session without these confirmations.
  if (!request.mcp_servers.json.empty()) reply.mcp_servers_applied = true;
  if (request.disallowed_tools) reply.disallowed_tools_applied = true;
  for (const hub::AgentInfo& agent : hub_.agents())
    for (const std::string& model : agent.models)
      reply.models.push_back({.value = model, .display_name = claude::text_content(model)});
  co_return wire::Raw{json::to_text(reply)};
}

Result<void> OwnAnswers::take_servers(const claude::Initialize& request) {
  const std::string& named = request.mcp_servers.json;
  if (named.empty() || named == "null") return {};
  PARLANCE_TRY(config, adapter::read_claude_mcp_config(R"({"mcpServers":)" + named + "}"));
  servers_.add_of_host(config.of_host);
  if (settings_.tools != nullptr)
    for (toolbox::McpServerSettings& server : config.started) settings_.tools->add(std::move(server));
  return {};
}

Task<Result<claude::McpReply>> OwnAnswers::mcp_message(claude::McpMessage message) {
  PARLANCE_CO_TRY_DO(servers_.receive(message));
  co_return claude::McpReply{};
}

Task<Result<wire::Raw>> OwnAnswers::other(std::string subtype, wire::Raw) {
  co_return fail(claude::unsupported_request(subtype));
}

wire::Raw OwnAnswers::server_states() const { return {json::to_text(servers_.status())}; }

void OwnAnswers::tool_use(const std::string& id, const ReportedCall& call) {
  lines_.tool_use(id, call.tool, call.input, call.parent);
}

void OwnAnswers::tool_end(const hub::event::ToolEnd& end, const ReportedCall& call) {
  if (call.tool == toolbox::structured_output_tool && toolbox::has_failed(settings_.output))
    static_cast<void>(hub_.submit_at_once(settings_.conversation, hub::StopTurn{}));  // otherwise the model would retry forever
  const bool cut = end.state == hub::ToolEndState::cancelled;
  lines_.tool_result(end.call, cut && call.result().empty() ? "Interrupted before it had ended." : call.result(),
                     end.state != hub::ToolEndState::done, call.parent);
}

void OwnAnswers::cut(bool in_tool) {
  lines_.user(in_tool ? "[Request interrupted by user for tool use]" : "[Request interrupted by user]", false);
}

}  // namespace parlance::face
