// SPDX-License-Identifier: Apache-2.0
// The tools of agents: names with JSON arguments (text here: the hub does not parse JSON). Order of a call: `intent`, a decision
// by policy or a person (Turn::ask), then `call`. Loop thread only.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/hub/agent/tool_host.h"
#include "parlance/hub/conversation/tool_call.h"

namespace parlance::hub {

struct SessionSetup;  // conversation/session_setup.h

class Tools {
 public:
  virtual ~Tools() = default;
  // The tools offered at present; servers may add and remove tools between two calls.
  virtual std::vector<ToolSpec> list() const = 0;
  // Errors: invalid_params (the arguments do not fit), not_found (no such tool).
  virtual Task<Result<ToolIntent>> intent(const SessionSetup& setup, const ToolCall& call) = 0;
  // The call for the person's version of the intent's editable part; policy decides about the new call too. No value: not
  // supported.
  virtual std::optional<ToolCall> edited(const ToolCall&, const ToolIntent&, std::string_view) { return std::nullopt; }
  // Executes the call after its approval. Failures of the tool are outcomes; destroying the task cancels the call.
  virtual Task<ToolOutcome> call(const SessionSetup& setup, const ToolCall& call, ToolHost host) = 0;
};

}  // namespace parlance::hub
