// SPDX-License-Identifier: Apache-2.0
// Our tools as a model that stands in Claude Code's place calls them: by Claude Code's names, with its inputs. So everything that a
// conversation keeps and a host is told is in those words, and what a hook changes is what runs. A call by our own name is taken, too.
// Loop thread only; the other tools outlive it.
#pragma once

#include "parlance/hub/tools.h"

namespace parlance::toolbox {

class ClaudeNamedTools final : public hub::Tools {
 public:
  explicit ClaudeNamedTools(hub::Tools& others) : others_(others) {}

  std::vector<hub::ToolSpec> list() const override;
  Task<Result<hub::ToolIntent>> intent(const hub::Conversation& conversation, const hub::ToolCall& call) override;
  std::optional<hub::ToolCall> edited(const hub::ToolCall& call, const hub::ToolIntent& intent, std::string_view text) override;
  Task<hub::ToolOutcome> call(const hub::Conversation& conversation, const hub::ToolCall& call, hub::ToolHost host) override;

 private:
  hub::Tools& others_;
};

}  // namespace parlance::toolbox
