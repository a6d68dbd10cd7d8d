// SPDX-License-Identifier: Apache-2.0
// The prompts of a host of Claude Code, one after the other: each has its own hooks, its own turn and its own result. Loop thread only;
// everything that is handed in outlives it.
#pragma once

#include <string_view>

#include "parlance/async/channel.h"
#include "parlance/async/task.h"
#include "parlance/face/claude/answers.h"
#include "parlance/face/claude/host_hooks.h"
#include "parlance/face/claude/lines.h"
#include "parlance/face/claude/outbox.h"
#include "parlance/face/claude/prompts.h"
#include "parlance/face/claude/session.h"
#include "parlance/face/claude/told_turn.h"
#include "parlance/hub/user_hub.h"

namespace parlance::face {

class PromptFeed {
 public:
  struct Parts {
    hub::UserHub hub;
    const ClaudeFaceSettings& settings;
    ClaudeSession& session;
    ClaudeAnswers& answers;
    ClaudeOutbox& outbox;
    ClaudeLines& lines;
    HostHooks& hooks;
    ToldTurn& turn;
    Signal& changed;  // told when a prompt comes, or begins; to be told when one has its result
  };
  explicit PromptFeed(Parts parts) : parts_(parts) {}

  // A line of type `user`, as it came. One too many is refused with a result.
  void take(std::string_view line);
  bool full() const { return waiting_.full(); }
  bool idle() const { return waiting_.empty() && !parts_.turn.running(); }
  Task<void> run();

 private:
  void refuse(const claude::UserMessage& prompt);
  Task<void> begin(claude::UserMessage prompt);
  Task<HostHooks::Verdict> hooks_of(const std::string& text);

  Parts parts_;
  ClaudePrompts waiting_;
  bool session_told_ = false;  // to the hooks
};

}  // namespace parlance::face
