// SPDX-License-Identifier: Apache-2.0
// The conversation as seen by a Claude Code host: folder, mode, model, and the `init` line. Loop thread only; hub, settings and
// lines must outlive the object.
#pragma once

#include <string>
#include <utility>

#include "parlance/async/task.h"
#include "parlance/codec/json/value.h"
#include "parlance/face/claude/lines.h"
#include "parlance/face/claude/settings.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/hub/user_hub.h"

namespace parlance::face {

class ClaudeSession {
 public:
  ClaudeSession(hub::UserHub hub, const ClaudeFrontendSettings& settings, ClaudeLines& lines)
      : hub_(std::move(hub)), settings_(settings), lines_(lines), mode_(settings.permission_mode) {}

  const std::string& folder() const { return setup().folder; }
  std::string model() const { return setup().model.empty() ? setup().agent : setup().model; }
  std::string permission_mode() const;  // in Claude Code's terms
  bool asks() const { return settings_.asks && mode_ != "dontAsk"; }
  hub::PromptOptions options() const;  // for every prompt

  // A change by the host; the host gets the new mode.
  Task<Result<void>> change_mode(std::string wanted);
  void mode_changed(hub::Mode mode);  // … by another user or the agent

  // The first line of a turn. `servers`: in the format of ClaudeMcpServers::status.
  void init(wire::Raw servers) const;
  json::Object hook_input(std::string event) const;  // common input of hooks

 private:
  const hub::SessionSetup& setup() const;

  hub::UserHub hub_;
  const ClaudeFrontendSettings& settings_;
  ClaudeLines& lines_;
  std::string mode_;  // set by the host; empty: the conversation's mode
};

}  // namespace parlance::face
