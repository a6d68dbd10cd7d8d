// What Claude Code asks before it uses a tool, asked of the hub: its policy, then a person. Questions to the person and plans come
// the same way. Loop thread only.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "parlance/driver/claude/events.h"
#include "parlance/hub/agent.h"
#include "parlance/protocol/claude/messages.h"

namespace parlance::driver {

class ClaudeAsks {
 public:
  // `events` outlives this. `on_mode`: Claude Code is in another mode by the answer (a plan was approved).
  ClaudeAsks(ClaudeEvents& events, std::function<void(hub::Mode)> on_mode) : events_(events), on_mode_(std::move(on_mode)) {}

  // `must_ask`: a hook wants a person asked, even where policy allows.
  Task<Result<claude::PermissionResult>> ask(hub::Turn& turn, const claude::CanUseTool& request, bool must_ask);

 private:
  claude::PermissionResult refuse(const std::string& call, const hub::AskAnswer& answer);
  Task<Result<claude::PermissionResult>> ask_questions(hub::Turn& turn, const adapter::ClaudeCall& call, std::string id,
                                                       std::vector<hub::Question> questions);
  Task<Result<claude::PermissionResult>> ask_plan(hub::Turn& turn, const claude::CanUseTool& request,
                                                  const adapter::ClaudeCall& call, std::string id);

  ClaudeEvents& events_;
  std::function<void(hub::Mode)> on_mode_;
};

}  // namespace parlance::driver
