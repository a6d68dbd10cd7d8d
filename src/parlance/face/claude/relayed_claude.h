// SPDX-License-Identifier: Apache-2.0
// The answers of a Claude Code behind parlance: its output goes to the host unchanged except for the host's own names; its hooks
// and MCP messages go to the host. The frontend's end of a ClaudeRelay. Loop thread only; all arguments must outlive the object.
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
  RelayedClaude(Loop& loop, hub::UserHub hub, claude::AgentSide& host, const ClaudeFrontendSettings& settings,
                ClaudeSession& session);
  ~RelayedClaude() override;
  RelayedClaude(const RelayedClaude&) = delete;
  RelayedClaude& operator=(const RelayedClaude&) = delete;

  bool of_claude_code() const override { return true; }
  // The host's request is kept for the next start of Claude Code, or sent again to a running one.
  Task<Result<wire::Raw>> initialize(claude::Initialize request) override;
  Task<Result<claude::McpStatus>> mcp_status() override;
  Task<Result<claude::McpReply>> mcp_message(claude::McpMessage message) override;
  Task<Result<wire::Raw>> other(std::string subtype, wire::Raw request) override;

  // Claude Code reports its turns itself.
  Task<void> ready() override { co_return; }
  void init() override { session_.init({"[]"}); }
  void turn_begins() override {}
  void piece(const std::string&, const std::string&) override {}
  void tool_use(const std::string&, const ReportedCall&) override {}
  void tool_end(const hub::event::ToolEnd&, const ReportedCall&) override {}
  void plan(const std::vector<hub::PlanEntry>&) override {}
  void inform(const std::string&) override {}
  void cut(bool) override {}
  void instead_of_answer(const std::string&, const std::string&) override {}
  void turn_ends() override;  // adds the first line to a turn without output
  std::string take_result() override;

 private:
  Result<void> keep(const claude::Initialize& request);
  wire::Raw initialized(const claude::Initialize& request) const;  // the answer for the host after Claude Code's answer
  void line(const claude::StreamLine& line);
  Task<Result<wire::Raw>> hook(claude::HookCallback callback);
  std::string as_ours(std::string_view json, std::string_view mode_member) const;
  Task<void> until_the_host_reads();
  void reads();

  hub::UserHub hub_;
  claude::AgentSide& host_;
  const ClaudeFrontendSettings& settings_;
  ClaudeSession& session_;
  adapter::ClaudeRelay& relay_;
  bool init_sent_ = false;  // in this turn
  std::string result_;
  Scope scope_;
};

}  // namespace parlance::face
