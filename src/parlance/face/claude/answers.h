// SPDX-License-Identifier: Apache-2.0
// Whose answers a host of Claude Code hears: those that we make of the hub's events (own_answers.h), or those of a Claude Code behind us,
// which go through as they stand (relayed_claude.h). The face speaks to either in the same way. Loop thread only.
#pragma once

#include <string>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/face/claude/calls.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/protocol/claude/messages.h"

namespace parlance::face {

class ClaudeAnswers {
 public:
  virtual ~ClaudeAnswers() = default;
  virtual bool of_claude_code() const = 0;  // it words its failures itself

  // ---- what the host asks for
  virtual Task<Result<wire::Raw>> initialize(claude::Initialize request) = 0;
  virtual Task<Result<claude::McpStatus>> mcp_status() = 0;
  virtual Task<Result<claude::McpReply>> mcp_message(claude::McpMessage message) = 0;
  virtual Task<Result<wire::Raw>> other(std::string subtype, wire::Raw request) = 0;

  // ---- what the host is told of a turn
  virtual Task<void> ready() = 0;  // until one may begin
  virtual void init() = 0;         // the line before all others
  virtual void turn_begins() = 0;
  virtual void piece(const std::string& kind, const std::string& text) = 0;
  virtual void tool_use(const std::string& id, const ToldCall& call) = 0;
  virtual void tool_end(const hub::event::ToolEnd& end, const ToldCall& call) = 0;
  virtual void plan(const std::vector<hub::PlanEntry>& entries) = 0;
  virtual void inform(const std::string& text) = 0;
  virtual void cut(bool in_tool) = 0;  // what Claude Code says in the name of a person who interrupts
  virtual void instead_of_answer(const std::string& text, const std::string& error) = 0;
  virtual void turn_ends() = 0;  // the last that is told before its result
  // The line that ends it, where it was not ours to write; empty: it is. The next turn begins.
  virtual std::string take_result() = 0;
};

}  // namespace parlance::face
