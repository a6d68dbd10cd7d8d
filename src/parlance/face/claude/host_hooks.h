// SPDX-License-Identifier: Apache-2.0
// The hooks of a host of Claude Code, as an agent calls them: all that fit at once, and what they say put together. Loop thread only;
// the agent's side outlives it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parlance/codec/json/value.h"
#include "parlance/protocol/claude/agent.h"

namespace parlance::face {

class HostHooks {
 public:
  HostHooks(Loop& loop, claude::AgentSide& agent);
  ~HostHooks();

  // In place of those before. A pattern that is no regular expression fits no tool, and the log says so.
  void set(std::map<std::string, std::vector<claude::HookMatcher>> hooks);
  bool wants(const std::string& event) const { return hooks_.contains(event); }

  struct Verdict {
    std::string decision{};  // deny, ask, allow, or empty: no opinion; of several the strictest
    std::string reason{};
    std::optional<std::string> input_json{};  // updatedInput
    bool stops = false;                       // continue: false
    std::string stop_reason{};
    std::string context{};  // for the model
    json::Value request{};  // decision of PermissionRequest
  };
  // `subject` is what matchers are about: the tool, the source of a session; `call` may be empty. A hook that fails has no opinion,
  // unless it says that its failure blocks; one that does not answer in time before a tool forbids it, as since 2.1.329.
  Task<Verdict> run(std::string event, std::string subject, json::Object input, std::string call);
  // The input has ended: it is told, and cannot answer.
  void tell_last(const std::string& event, const std::string& subject, const json::Object& input);

 private:
  struct Hook;  // with its pattern, compiled
  struct Asked;
  using Hooks = std::vector<Hook>;
  Task<void> ask(Asked& asked, std::string id, const Hook& hook, std::size_t place);

  Loop& loop_;
  claude::AgentSide& agent_;
  std::map<std::string, std::shared_ptr<const Hooks>> hooks_;  // by event; held by those that run while others are set
};

}  // namespace parlance::face
