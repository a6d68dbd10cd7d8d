// SPDX-License-Identifier: Apache-2.0
// Between a host of Claude Code and a Claude Code that answers in our place: what the host brings for it and what it says go through
// untouched. The face (hub_over_claude) and the agent (agent_via_claude) each put their end in; either may be gone. Loop thread only;
// outlives both.
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
  std::vector<std::string> flags{};  // that mean something to Claude Code alone, as they came
  std::string resume_at{};           // a message of the session that is taken up; until it is

  // ---- of the face
  wire::Raw initialize{};  // what of it is for Claude Code: hooks, servers that the host runs, sub-agents, …; or none came
  std::function<Task<Result<claude::McpReply>>(claude::McpMessage)> to_host{};
  std::function<Task<Result<wire::Raw>>(claude::HookCallback)> hook{};
  std::function<Task<Result<wire::Raw>>(std::string subtype, wire::Raw)> ask{};  // any other request of Claude Code
  std::function<void(const claude::StreamLine&)> line{};
  bool host_is_slow = false;  // it has not read what it was told: nothing more is read for it
  Signal host_reads;          // … now it has

  // ---- of the question that Claude Code asks about a call, while it is open
  struct Question {
    claude::CanUseTool request{};
    std::optional<claude::PermissionResult> answer{};  // as the host gave it: its inputs, rules and interrupts are Claude Code's
  };
  std::map<std::string, Question> questions{};  // by call
  class Asking {                                // holds one
   public:
    Asking(ClaudeRelay& relay, std::string call, const claude::CanUseTool& request) : relay_(relay), call_(std::move(call)) {
      relay_.questions[call_] = {.request = request};
    }
    ~Asking() { relay_.questions.erase(call_); }
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;
    // Where the host was not asked, or somebody else's word counted, `answer`.
    Result<claude::PermissionResult> as_the_host_said(Result<claude::PermissionResult> answer) const {
      const auto& said = relay_.questions[call_].answer;
      if (!answer || !said || answer->value.index() != said->value.index()) return answer;
      return *said;
    }

   private:
    ClaudeRelay& relay_;
    std::string call_;
  };
  std::set<std::string, std::less<>>
      asked_by_hook{};  // calls that a hook of the host wants asked, whatever else would allow them

  // ---- of the agent, while its Claude Code runs
  const void* agent = nullptr;  // whose they are: one that ends late must not take those of the next
  wire::Raw initialized{};      // what it answered last to initialize
  std::function<Task<Result<claude::McpReply>>(claude::McpMessage)> to_agent{};
  std::function<Task<Result<claude::McpStatus>>()> status{};
  std::function<Task<Result<wire::Raw>>(std::string subtype, wire::Raw)> request{};  // any other of the host
};

}  // namespace parlance::adapter
