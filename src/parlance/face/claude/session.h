// SPDX-License-Identifier: Apache-2.0
// The conversation as its host of Claude Code knows it: where it works, in which mode, with which model, and the line that says so. Loop
// thread only; hub, settings and lines outlive it.
#pragma once

#include <string>
#include <utility>

#include "parlance/async/task.h"
#include "parlance/codec/json/value.h"
#include "parlance/face/claude/lines.h"
#include "parlance/face/claude/settings.h"
#include "parlance/hub/user_hub.h"

namespace parlance::face {

class ClaudeSession {
 public:
  ClaudeSession(hub::UserHub hub, const ClaudeFaceSettings& settings, ClaudeLines& lines)
      : hub_(std::move(hub)), settings_(settings), lines_(lines), mode_(settings.permission_mode) {}

  const std::string& folder() const { return conversation().folder; }
  std::string model() const { return conversation().model.empty() ? conversation().agent : conversation().model; }
  std::string permission_mode() const;  // in Claude Code's words
  bool asks() const { return settings_.asks && mode_ != "dontAsk"; }
  hub::PromptOptions options() const;  // of every prompt

  // The host wants it; it is told the new one.
  Task<Result<void>> change_mode(std::string wanted);
  void mode_changed(hub::Mode mode);  // … somebody else

  // The first line of a turn. `servers`: as ClaudeMcpServers::status has them.
  void init(wire::Raw servers) const;
  json::Object hook_input(std::string event) const;  // what every hook is told

 private:
  const hub::Conversation& conversation() const { return *hub_.find(settings_.conversation); }

  hub::UserHub hub_;
  const ClaudeFaceSettings& settings_;
  ClaudeLines& lines_;
  std::string mode_;  // as the host set it; empty: that of the conversation
};

}  // namespace parlance::face
