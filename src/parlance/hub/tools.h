// SPDX-License-Identifier: Apache-2.0
// What agents can use: named tools with JSON arguments (text here: the hub knows no JSON). Whoever runs a call asks first what
// it would do (`intent`), lets policy or a person decide (Turn::ask), and then calls. Loop thread only.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/conversation/tool_call.h"
#include "parlance/hub/tool_host.h"

namespace parlance::hub {

class Tools {
 public:
  virtual ~Tools() = default;
  virtual std::vector<ToolSpec> list() const = 0;
  // invalid_params: the arguments do not fit; not_found: no such tool.
  virtual Task<Result<ToolIntent>> intent(const Conversation& conversation, const ToolCall& call) = 0;
  // The call that does what a person made of the editable part of `intent`; it is judged like any other. Nothing: none can.
  virtual std::optional<ToolCall> edited(const ToolCall&, const ToolIntent&, std::string_view) { return std::nullopt; }
  // Does it; whether it may has been asked. Failures of the tool are outcomes; destroying the task cancels the call.
  virtual Task<ToolOutcome> call(const Conversation& conversation, const ToolCall& call, ToolHost host) = 0;
};

}  // namespace parlance::hub
