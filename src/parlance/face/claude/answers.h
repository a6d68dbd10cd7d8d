// SPDX-License-Identifier: Apache-2.0
// The source of a host's answers: made from the hub's events (own_answers.h), or relayed unchanged from a Claude Code behind
// parlance (relayed_claude.h). Common interface for the frontend. Loop thread only.
#pragma once

#include <string>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/face/claude/calls.h"
#include "parlance/hub/conversation/plan.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/protocol/claude/messages.h"

namespace parlance::face {

class ClaudeAnswers {
 public:
  virtual ~ClaudeAnswers() = default;
  virtual bool of_claude_code() const = 0;  // Claude Code words its failures itself

  // ---- requests of the host
  virtual Task<Result<wire::Raw>> initialize(claude::Initialize request) = 0;
  virtual Task<Result<claude::McpStatus>> mcp_status() = 0;
  virtual Task<Result<claude::McpReply>> mcp_message(claude::McpMessage message) = 0;
  virtual Task<Result<wire::Raw>> other(std::string subtype, wire::Raw request) = 0;

  // ---- messages of a turn to the host
  virtual Task<void> ready() = 0;  // until a turn may begin
  virtual void init() = 0;         // the first line
  virtual void turn_begins() = 0;
  virtual void piece(const std::string& kind, const std::string& text) = 0;
  virtual void tool_use(const std::string& id, const ReportedCall& call) = 0;
  virtual void tool_end(const hub::event::ToolEnd& end, const ReportedCall& call) = 0;
  virtual void plan(const std::vector<hub::PlanEntry>& entries) = 0;
  virtual void inform(const std::string& text) = 0;
  virtual void cut(bool in_tool) = 0;  // Claude Code's text for an interrupt by a person
  virtual void instead_of_answer(const std::string& text, const std::string& error) = 0;
  virtual void turn_ends() = 0;  // the last message before the result
  // The result line of a relayed turn; empty: the frontend writes the line. The next turn begins.
  virtual std::string take_result() = 0;
};

}  // namespace parlance::face
