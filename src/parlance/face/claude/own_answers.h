// SPDX-License-Identifier: Apache-2.0
// The answers of the built-in agent for a Claude Code host, in Claude Code's format: parlance calls its MCP servers, runs its
// hooks, and converts the hub's events into lines. Loop thread only; all arguments must outlive the object.
#pragma once

#include "parlance/adapter/claude/mcp_servers.h"
#include "parlance/face/claude/answers.h"
#include "parlance/face/claude/host_hooks.h"
#include "parlance/face/claude/session.h"
#include "parlance/hub/user_hub.h"
#include "parlance/protocol/claude/agent.h"

namespace parlance::face {

class OwnAnswers final : public ClaudeAnswers {
 public:
  OwnAnswers(Loop& loop, hub::UserHub hub, claude::AgentSide& host, const ClaudeFrontendSettings& settings,
             ClaudeSession& session, ClaudeLines& lines, HostHooks& hooks);

  bool of_claude_code() const override { return false; }
  Task<Result<wire::Raw>> initialize(claude::Initialize request) override;
  Task<Result<claude::McpStatus>> mcp_status() override { co_return claude::McpStatus{server_states()}; }
  Task<Result<claude::McpReply>> mcp_message(claude::McpMessage message) override;
  Task<Result<wire::Raw>> other(std::string subtype, wire::Raw request) override;

  Task<void> ready() override { return servers_.settled(); }
  void init() override { session_.init(server_states()); }
  void turn_begins() override { init(); }
  void piece(const std::string& kind, const std::string& text) override { lines_.piece(kind, text); }
  void tool_use(const std::string& id, const ReportedCall& call) override;
  void tool_end(const hub::event::ToolEnd& end, const ReportedCall& call) override;
  void plan(const std::vector<hub::PlanEntry>& entries) override { lines_.plan(entries); }
  void inform(const std::string& text) override { lines_.inform(text); }
  void cut(bool in_tool) override;
  void instead_of_answer(const std::string& text, const std::string& error) override { lines_.instead_of_answer(text, error); }
  void turn_ends() override {}
  std::string take_result() override { return {}; }

 private:
  Result<void> take_servers(const claude::Initialize& request);
  wire::Raw server_states() const;

  hub::UserHub hub_;
  const ClaudeFrontendSettings& settings_;
  ClaudeSession& session_;
  ClaudeLines& lines_;
  HostHooks& hooks_;
  adapter::ClaudeMcpServers servers_;
};

}  // namespace parlance::face
