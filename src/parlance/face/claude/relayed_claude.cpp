// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/claude/relayed_claude.h"

#include <algorithm>
#include <array>
#include <utility>

#include "parlance/adapter/claude/mcp_servers.h"
#include "parlance/codec/json/value.h"

namespace parlance::face {
namespace {

// Sent by other means: prompts with each turn, servers by address, forbidden tools as flags, the subtype in the envelope.
constexpr std::array<std::string_view, 5> said_otherwise{"subtype", "systemPrompt", "appendSystemPrompt", "mcpServers",
                                                         "disallowedTools"};

bool names_servers(const claude::Initialize& request) {
  return !request.mcp_servers.json.empty() && request.mcp_servers.json != "null";
}

}  // namespace

RelayedClaude::RelayedClaude(Loop& loop, hub::UserHub hub, claude::AgentSide& host, const ClaudeFrontendSettings& settings,
                             ClaudeSession& session)
    : hub_(std::move(hub)), host_(host), settings_(settings), session_(session), relay_(*settings.relay), scope_(loop) {
  relay_.to_host = [this](const claude::McpMessage& message) { return host_.mcp_message(message, no_deadline); };
  relay_.hook = [this](claude::HookCallback callback) {
    callback.input.json = as_ours(callback.input.json, "permission_mode");
    return hook(std::move(callback));
  };
  relay_.ask = [this](std::string subtype, wire::Raw request) { return host_.request(std::move(subtype), std::move(request)); };
  relay_.line = [this](const claude::StreamLine& stream_line) { line(stream_line); };
}

RelayedClaude::~RelayedClaude() {
  scope_.cancel();
  relay_.to_host = {};
  relay_.hook = {};
  relay_.ask = {};
  relay_.line = {};
  reads();  // no slow host remains
}

// Remembers the decision "ask" of a hook: the following question must reach the host, although the hub's mode would answer.
Task<Result<wire::Raw>> RelayedClaude::hook(claude::HookCallback callback) {
  const std::string call = callback.tool_use_id.value_or("");
  // Claude Code withdraws slow calls itself.
  auto answer = co_await host_.hook_callback(callback, no_deadline);
  if (answer && !call.empty() && answer->json.find("permissionDecision") != std::string::npos) {
    const json::Value output = json::parse_or_null(answer->json);
    const json::Value* const specific = output.find("hookSpecificOutput");
    if (specific != nullptr && specific->text_or("permissionDecision", "") == "ask") relay_.asked_by_hook.insert(call);
  }
  co_return answer;
}

Task<Result<wire::Raw>> RelayedClaude::initialize(claude::Initialize request) {
  PARLANCE_CO_TRY_DO(keep(request));
  PARLANCE_CO_TRY_DO(co_await hub_.submit(settings_.conversation, hub::PrepareAgent{.options = settings_.options}));
  co_return initialized(request);
}

Result<void> RelayedClaude::keep(const claude::Initialize& request) {
  if (names_servers(request)) {
    PARLANCE_TRY(config, adapter::read_claude_mcp_config(R"({"mcpServers":)" + request.mcp_servers.json + "}"));
    relay_.mcp_config = adapter::joined_mcp_config(relay_.mcp_config, config.json);
  }
  if (request.disallowed_tools && !request.disallowed_tools->empty()) {
    std::string flag = "--disallowedTools=";
    for (const std::string& tool : *request.disallowed_tools) flag += (flag.ends_with('=') ? "" : ",") + tool;
    std::erase(relay_.flags, flag);  // from an earlier `initialize` of the same host
    relay_.flags.push_back(std::move(flag));
  }
  json::Value rest = json::parse_or_null(request.received.json);
  if (json::Object* const object = rest.object())
    std::erase_if(object->members,
                  [](const auto& member) { return std::ranges::find(said_otherwise, member.first) != said_otherwise.end(); });
  relay_.initialize.json = json::to_text(rest);
  return {};
}

// Claude Code's own answer, completed with the members sent by other means. The mode is the session's mode: Claude Code may run
// in another mode, because the hub approves in Claude Code's place.
wire::Raw RelayedClaude::initialized(const claude::Initialize& request) const {
  json::Value reply = json::parse_or_null(relay_.initialized.json);
  if (reply.object() == nullptr) reply = json::Object{};
  json::Object& members = *reply.object();
  if (names_servers(request)) members.set("mcp_servers_applied", true);         // the SDK ends the session without this member
  if (request.disallowed_tools) members.set("disallowed_tools_applied", true);  // the same
  if (members.find("current_permission_mode") != nullptr) members.set("current_permission_mode", session_.permission_mode());
  return {json::to_text(reply)};
}

Task<Result<claude::McpStatus>> RelayedClaude::mcp_status() {
  if (!relay_.status) co_return claude::McpStatus{{"[]"}};
  co_return co_await relay_.status();
}

Task<Result<claude::McpReply>> RelayedClaude::mcp_message(claude::McpMessage message) {
  if (!relay_.to_agent) co_return fail(Errc::not_found, "no such MCP server yet: " + message.server_name);
  co_return co_await relay_.to_agent(std::move(message));
}

Task<Result<wire::Raw>> RelayedClaude::other(std::string subtype, wire::Raw what) {
  if (!relay_.request)
    co_return fail(Errc::failed, subtype + ": Claude Code is started with initialize or the first prompt; ask again then");
  co_return co_await relay_.request(std::move(subtype), std::move(what));
}

void RelayedClaude::turn_ends() {
  if (!init_sent_) init();
}

std::string RelayedClaude::take_result() {
  init_sent_ = false;
  relay_.asked_by_hook.clear();
  return std::exchange(result_, {});
}

// Replaces the session id and the mode. Claude Code runs in the mode `default` if the hub approves in Claude Code's place.
std::string RelayedClaude::as_ours(std::string_view json, std::string_view mode_member) const {
  json::Value value = json::parse_or_null(json);
  json::Object* const object = value.object();
  if (object == nullptr) return std::string(json);
  if (object->find("session_id") != nullptr) object->set("session_id", settings_.session_id);
  if (object->find(mode_member) != nullptr) object->set(std::string(mode_member), session_.permission_mode());
  return json::to_text(value);
}

void RelayedClaude::line(const claude::StreamLine& stream_line) {
  if (stream_line.type == "stream_event" && !settings_.partial_messages) return;
  std::string text = as_ours(stream_line.json, "permissionMode");
  if (stream_line.type == "result") {  // sent after the hub has stored the earlier events
    result_ = std::move(text);
    return;
  }
  if (stream_line.type == "system" && stream_line.subtype == "init") init_sent_ = true;
  static_cast<void>(host_.send(std::move(text)));
  if (!relay_.host_is_slow && !host_.has_room()) scope_.start(until_the_host_reads());
}

Task<void> RelayedClaude::until_the_host_reads() {
  relay_.host_is_slow = true;
  co_await host_.wait_writable();
  reads();
}

void RelayedClaude::reads() {
  relay_.host_is_slow = false;
  relay_.host_reads.notify_all();
}

}  // namespace parlance::face
