// SPDX-License-Identifier: Apache-2.0
// Runs the hooks of a Claude Code host for an agent: all matching hooks in parallel, with a joint answer. Loop thread only; the
// agent's side must outlive the object.
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

  // Replaces the hooks. An invalid regular expression matches no tool, and is logged.
  void set(std::map<std::string, std::vector<claude::HookMatcher>> hooks);
  bool wants(const std::string& event) const { return hooks_.contains(event); }

  struct Verdict {
    std::string decision{};  // deny, ask, allow, or empty: no opinion; the strictest of several
    std::string reason{};
    std::optional<std::string> input_json{};  // updatedInput
    bool stops = false;                       // continue: false
    std::string stop_reason{};
    std::string context{};  // text for the model
    json::Value request{};  // decision of PermissionRequest
  };
  // `subject`: the input of matchers, such as the tool or the source of a session; `call` may be empty. A failed hook has no
  // opinion, unless it declares that its failure blocks. A late answer before a tool forbids the tool, as since 2.1.329.
  Task<Verdict> run(std::string event, std::string subject, json::Object input, std::string call);
  // After the end of the input: sends the hook without waiting for an answer.
  void notify_last(const std::string& event, const std::string& subject, const json::Object& input);

 private:
  struct Hook;  // with its compiled pattern
  struct Asked;
  using Hooks = std::vector<Hook>;
  Task<void> ask(Asked& asked, std::string id, const Hook& hook, std::size_t place);

  Loop& loop_;
  claude::AgentSide& agent_;
  std::map<std::string, std::shared_ptr<const Hooks>> hooks_;  // by event; running hooks keep the old map
};

}  // namespace parlance::face
