// Our tools as a model that stands in Claude Code's place calls them: by Claude Code's names, with its inputs. So everything that a
// conversation keeps and a host is told is in those words, and what a hook changes is what runs. A call by our own name is taken, too.
// Loop thread only; the other tools outlive it.
#pragma once

#include "hub/tools.h"

namespace parlance::service {

class ClaudeNamedTools final : public hub::Tools {
 public:
  explicit ClaudeNamedTools(hub::Tools& others) : others_(others) {}

  std::vector<hub::ToolSpec> list() const override;
  Task<Result<hub::ToolIntent>> intent(const hub::Conversation& conversation, const hub::ToolCall& call) override;
  Task<hub::ToolOutcome> call(const hub::Conversation& conversation, const hub::ToolCall& call, hub::ToolHost host) override;

 private:
  hub::Tools& others_;
};

}  // namespace parlance::service
