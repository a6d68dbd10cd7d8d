// SPDX-License-Identifier: Apache-2.0
// The answers of a Claude Code behind us: what it says goes to the host as it stands, but for the names that the host knows, and its hooks
// and MCP messages are the host's. The face's end of a ClaudeRelay. Loop thread only; everything that is handed in outlives it.
#pragma once

#include <string>

#include "parlance/adapter/claude/relay.h"
#include "parlance/async/scope.h"
#include "parlance/face/claude/answers.h"
#include "parlance/face/claude/session.h"
#include "parlance/hub/user_hub.h"
#include "parlance/protocol/claude/agent.h"

namespace parlance::face {

class RelayedClaude final : public ClaudeAnswers {
 public:
  RelayedClaude(Loop& loop, hub::UserHub hub, claude::AgentSide& host, const ClaudeFaceSettings& settings,
                ClaudeSession& session);
  ~RelayedClaude() override;
  RelayedClaude(const RelayedClaude&) = delete;
  RelayedClaude& operator=(const RelayedClaude&) = delete;

  bool of_claude_code() const override { return true; }
  // What the host asks for is kept for the Claude Code that is started next, or asked once more.
  Task<Result<wire::Raw>> initialize(claude::Initialize request) override;
  Task<Result<claude::McpStatus>> mcp_status() override;
  Task<Result<claude::McpReply>> mcp_message(claude::McpMessage message) override;
  Task<Result<wire::Raw>> other(std::string subtype, wire::Raw request) override;

  // It tells its turns itself.
  Task<void> ready() override { co_return; }
  void init() override { session_.init({"[]"}); }
  void turn_begins() override {}
  void piece(const std::string&, const std::string&) override {}
  void tool_use(const std::string&, const ToldCall&) override {}
  void tool_end(const hub::event::ToolEnd&, const ToldCall&) override {}
  void plan(const std::vector<hub::PlanEntry>&) override {}
  void inform(const std::string&) override {}
  void cut(bool) override {}
  void instead_of_answer(const std::string&, const std::string&) override {}
  void turn_ends() override;  // one that said nothing still has its first line
  std::string take_result() override;

 private:
  Result<void> keep(const claude::Initialize& request);
  wire::Raw initialized(const claude::Initialize& request) const;  // what the host hears when it has answered
  void line(const claude::StreamLine& line);
  Task<Result<wire::Raw>> hook(claude::HookCallback callback);
  std::string as_ours(std::string_view json, std::string_view mode_member) const;
  Task<void> until_the_host_reads();
  void reads();

  hub::UserHub hub_;
  claude::AgentSide& host_;
  const ClaudeFaceSettings& settings_;
  ClaudeSession& session_;
  adapter::ClaudeRelay& relay_;
  bool init_told_ = false;  // in this turn
  std::string result_;
  Scope scope_;
};

}  // namespace parlance::face
