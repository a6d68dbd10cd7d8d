// SPDX-License-Identifier: Apache-2.0
// Sends permission requests of Claude Code to the hub: its policy, then a person. Questions and plans arrive in the same way.
// Loop thread only.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "parlance/driver/claude/events.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/protocol/claude/messages.h"

namespace parlance::driver {

class ClaudeAsks {
 public:
  // `events` outlives this. `on_mode`: Claude Code is in another mode by the answer (a plan was approved). `home`: the home
  // folder of Claude Code; empty: unknown.
  ClaudeAsks(ClaudeEvents& events, std::function<void(hub::Mode)> on_mode, std::string home = {})
      : events_(events), on_mode_(std::move(on_mode)), home_(std::move(home)) {}

  struct How {
    bool must_ask = false;  // a hook, or a guard of Claude Code, wants a person asked, even where the policy allows
    std::string cwd{};      // the current folder of Claude Code; empty: the conversation's
  };
  Task<Result<claude::PermissionResult>> ask(hub::Turn& turn, const claude::CanUseTool& request, How how);
  // Policy alone. A call with an unknown path needs a request.
  hub::Decision decide(const hub::Turn& turn, const adapter::ClaudeCall& call, const std::string& cwd) const;

 private:
  struct Judged {
    hub::ToolIntent intent{};
    bool is_known = true;
  };
  Judged judged(const hub::Turn& turn, const adapter::ClaudeCall& call, const std::string& cwd) const;
  claude::PermissionResult refuse(const std::string& call, const hub::AskAnswer& answer);
  Task<Result<claude::PermissionResult>> ask_questions(hub::Turn& turn, const adapter::ClaudeCall& call, std::string id,
                                                       std::vector<hub::Question> questions);
  Task<Result<claude::PermissionResult>> ask_plan(hub::Turn& turn, const claude::CanUseTool& request,
                                                  const adapter::ClaudeCall& call, std::string id);

  ClaudeEvents& events_;
  std::function<void(hub::Mode)> on_mode_;
  std::string home_;
};

}  // namespace parlance::driver
