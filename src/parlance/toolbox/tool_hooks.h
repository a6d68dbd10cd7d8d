// SPDX-License-Identifier: Apache-2.0
// Hooks of a host that started parlance in place of Claude Code: they see every tool call of an agent with our tools, before
// policy and independent of its decision. Loop thread only; unregister before the destruction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "parlance/async/task.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/hub/agent/tools.h"

namespace parlance::toolbox {

struct ToolVerdict {
  enum class Say : std::uint8_t {
    nothing,  // Policy decides, then a person.
    allow,    // No question; a refusal by policy stays.
    ask,      // A person is asked, even if policy allows.
    deny
  };
  Say say = Say::nothing;
  std::string why{};                            // With ask: for a person; with deny: the exact text for the model.
  std::optional<std::string> arguments_json{};  // Replaces the model's input; judged again.
  bool ends_turn = false;                       // The model is not called again after this call.
};

class ToolHooks {
 public:
  // The call with the name and input of its conversation.
  virtual hub::ToolCall named(const hub::SessionSetup& setup, hub::ToolCall call) = 0;
  // Before a call that could run; the call is announced.
  virtual Task<ToolVerdict> before(hub::Turn& turn, hub::ToolCall call) = 0;
  // Before a request of an MCP server during the call `request.id`. `request.tool` is the name of the request for rules and hooks, and
  // the arguments are its texts. Input in place of the request, and the end of the turn, count as a refusal.
  virtual Task<ToolVerdict> before_request(hub::Turn& turn, hub::ToolCall request) = 0;
  // The approved input in place of the requested input. Absent: the requested input.
  virtual std::optional<std::string> agreed_input(const std::string& call) = 0;
  struct After {
    std::string more{};  // For the model, after the result.
    bool ends_turn = false;
  };
  virtual Task<After> after(hub::ToolCall call, const hub::ToolOutcome& outcome) = 0;

 protected:
  ~ToolHooks() = default;
};

// Registry for an agent that exists before its hooks.
struct ToolHooksPort {
  ToolHooks* hooks = nullptr;
};

}  // namespace parlance::toolbox
