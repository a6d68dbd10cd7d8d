// SPDX-License-Identifier: Apache-2.0
// Connects a host of Claude Code with a Claude Code behind parlance: the host's features and messages for Claude Code pass
// through unchanged. The frontend (hub_over_claude) and the agent (agent_via_claude) each attach their end; either may be absent.
// Loop thread only; outlives both.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/protocol/claude/messages.h"
#include "parlance/protocol/claude/stream.h"

namespace parlance::adapter {

struct ClaudeRelay {
  explicit ClaudeRelay(Loop& loop) : host_reads(loop) {}

  // ---- of the host's command line
  std::string mcp_config{};          // JSON, or empty
  std::vector<std::string> flags{};  // flags for Claude Code only, unchanged
  std::string resume_at{};           // a message of the resumed session; until resumed

  // ---- of the frontend
  wire::Raw initialize{};  // its part for Claude Code: hooks, servers run by the host, sub-agents, …; or none
  std::function<Task<Result<claude::McpReply>>(claude::McpMessage)> to_host{};
  std::function<Task<Result<wire::Raw>>(claude::HookCallback)> hook{};
  std::function<Task<Result<wire::Raw>>(std::string subtype, wire::Raw)> ask{};  // any other request of Claude Code
  std::function<void(const claude::StreamLine&)> line{};
  bool host_is_slow = false;  // the host has a backlog: reading for the host stops
  Signal host_reads;          // … and continues

  // ---- the question of Claude Code about a call, while open
  struct Question {
    claude::CanUseTool request{};
    std::optional<claude::PermissionResult> answer{};  // the host's answer: its inputs, rules and interrupts are for Claude Code
  };
  std::map<std::string, Question> questions{};  // by call
  class Asking {                                // holds a question
   public:
    Asking(ClaudeRelay& relay, std::string call, const claude::CanUseTool& request) : relay_(relay), call_(std::move(call)) {
      relay_.questions[call_] = {.request = request};
    }
    ~Asking() { relay_.questions.erase(call_); }
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;
    // `answer`, if the host was not asked or another answer counted.
    Result<claude::PermissionResult> as_the_host_said(Result<claude::PermissionResult> answer) const {
      const auto& said = relay_.questions[call_].answer;
      if (!answer || !said || answer->value.index() != said->value.index()) return answer;
      return *said;
    }

   private:
    ClaudeRelay& relay_;
    std::string call_;
  };
  std::set<std::string, std::less<>> asked_by_hook{};  // calls with a hook's demand for a question, regardless of permissions

  // ---- of the agent, while its Claude Code runs
  const void* agent = nullptr;  // owner: a late end must not remove the next owner's entries
  wire::Raw initialized{};      // its last answer to initialize
  std::function<Task<Result<claude::McpReply>>(claude::McpMessage)> to_agent{};
  std::function<Task<Result<claude::McpStatus>>()> status{};
  std::function<Task<Result<wire::Raw>>(std::string subtype, wire::Raw)> request{};  // any other of the host
};

}  // namespace parlance::adapter
