// SPDX-License-Identifier: Apache-2.0
// Runs the prompts of a Claude Code host one after the other: each with its own hooks, turn and result. Loop thread only; all
// arguments must outlive the object.
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
#include "parlance/face/claude/turn_stream.h"
#include "parlance/hub/user_hub.h"

namespace parlance::face {

class PromptFeed {
 public:
  struct Parts {
    hub::UserHub hub;
    const ClaudeFrontendSettings& settings;
    ClaudeSession& session;
    ClaudeAnswers& answers;
    ClaudeOutbox& outbox;
    ClaudeLines& lines;
    HostHooks& hooks;
    ClaudeTurnStream& turn;
    Signal& changed;  // set when a prompt arrives or begins; the owner sets it after a result
  };
  explicit PromptFeed(Parts parts) : parts_(parts) {}

  // A raw line of type `user`. A line beyond the limit gets a refusing result.
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
  bool session_reported_ = false;  // reported to the hooks
};

}  // namespace parlance::face
