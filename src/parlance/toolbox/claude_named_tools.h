// SPDX-License-Identifier: Apache-2.0
// Our tools under Claude Code's names and inputs, for a model in Claude Code's place. The conversation and the host see these
// names, and a hook's changed input is used for the run. Calls by our own names work too. Loop thread only; the inner tools must
// outlive it.
#pragma once

#include "parlance/hub/agent/tools.h"

namespace parlance::toolbox {

class ClaudeNamedTools final : public hub::Tools {
 public:
  explicit ClaudeNamedTools(hub::Tools& others) : others_(others) {}

  std::vector<hub::ToolSpec> list() const override;
  Task<Result<hub::ToolIntent>> intent(const hub::SessionSetup& setup, const hub::ToolCall& call) override;
  std::optional<hub::ToolCall> edited(const hub::ToolCall& call, const hub::ToolIntent& intent, std::string_view text) override;
  Task<hub::ToolOutcome> call(const hub::SessionSetup& setup, const hub::ToolCall& call, hub::ToolHost host) override;

 private:
  hub::Tools& others_;
};

}  // namespace parlance::toolbox
