// SPDX-License-Identifier: Apache-2.0
// An idle agent on Claude's protocol, for tests of the parts around an agent.
#pragma once

#include "parlance/protocol/claude/agent.h"

namespace parlance::adapter {

struct IdleAgent final : claude::AgentHandler {
  void on_line(const claude::StreamLine&) override {}
  Task<Result<wire::Raw>> initialize(claude::Initialize) override { co_return wire::Raw{"{}"}; }
  Task<Result<claude::ModeReply>> set_permission_mode(claude::SetPermissionMode) override { co_return claude::ModeReply{}; }
  Task<Result<wire::Raw>> set_model(claude::SetModel) override { co_return wire::Raw{"{}"}; }
  Task<Result<wire::Raw>> set_max_thinking_tokens(claude::SetMaxThinkingTokens) override { co_return wire::Raw{"{}"}; }
  Task<Result<claude::Interrupted>> interrupt() override { co_return claude::Interrupted{}; }
  Task<Result<claude::McpStatus>> mcp_status() override { co_return claude::McpStatus{}; }
  Task<Result<claude::McpReply>> mcp_message(claude::McpMessage) override { co_return claude::McpReply{}; }
  Task<void> input_ended() override { co_return; }
};

}  // namespace parlance::adapter
