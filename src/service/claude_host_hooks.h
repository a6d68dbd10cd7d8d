// The hooks of a host of Claude Code, as an agent calls them: those that fit, one after the other, until one forbids. Loop thread only;
// the agent's side outlives it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "codec/json/value.h"
#include "protocol/claude/agent.h"

namespace parlance::service {

class HostHooks {
 public:
  explicit HostHooks(claude::AgentSide& agent);
  ~HostHooks();

  // In place of those before. A pattern that is no regular expression fits no tool, and the log says so.
  void set(std::map<std::string, std::vector<claude::HookMatcher>> hooks);
  bool wants(const std::string& event) const { return hooks_.contains(event); }

  struct Verdict {
    std::string decision{};  // allow, deny, or empty: no opinion
    std::string reason{};
  };
  // `tool` and `call` are empty for events that are about none. A hook that fails has no opinion, unless it says that its failure
  // blocks.
  Task<Verdict> run(std::string event, std::string tool, json::Object input, std::string call);
  Task<void> tell(std::string event, std::string tool, json::Object input, std::string call);  // without asking

 private:
  struct Hook;  // with its pattern, compiled
  using Hooks = std::vector<Hook>;

  claude::AgentSide& agent_;
  std::map<std::string, std::shared_ptr<const Hooks>> hooks_;  // by event; held by those that run while others are set
};

}  // namespace parlance::service
