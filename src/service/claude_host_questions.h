// Questions of the hub's agent, asked of a host of Claude Code: its hooks first, then the lists of tools that it allows and forbids,
// then the host itself. Loop thread only; hub, agent and hooks outlive it.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "async/scope.h"
#include "codec/json/value.h"
#include "hub/hub.h"
#include "protocol/claude/agent.h"
#include "service/claude_host_hooks.h"

namespace parlance::service {

class HostQuestions {
 public:
  struct Settings {
    std::string conversation{};
    std::vector<std::string> allowed_tools{};     // never asked about: a tool's name, or mcp__SERVER for all of a server
    std::vector<std::string> disallowed_tools{};  // the same, never allowed
    std::function<bool()> asks{};                 // whether the host answers; otherwise what would be asked is refused
    std::function<const json::Value*(const std::string& call)> input_of{};  // of a call that runs; null: unknown
    std::function<json::Object(std::string event)> hook_input{};            // what every hook is told
  };
  HostQuestions(Loop& loop, hub::Hub& hub, claude::AgentSide& agent, HostHooks& hooks, Settings settings)
      : hub_(hub), agent_(agent), hooks_(hooks), settings_(std::move(settings)), scope_(loop) {}
  ~HostQuestions() { scope_.cancel(); }

  void ask(const hub::Ask& ask);
  void withdraw(const std::string& ask);
  void disallow(const std::vector<std::string>& tools);  // these as well

 private:
  Task<void> settle(hub::Ask ask);
  Task<hub::GivenAnswer> decide(const hub::Ask& ask);
  claude::CanUseTool request_for(const hub::Ask& ask) const;
  static hub::GivenAnswer choose(const hub::Ask& ask, std::initializer_list<hub::OptionKind> kinds, std::string text = {});
  static hub::GivenAnswer refuse(const hub::Ask& ask, std::string why);
  static hub::GivenAnswer answers_of(const hub::Ask& ask, const json::Value& input);

  hub::Hub& hub_;
  claude::AgentSide& agent_;
  HostHooks& hooks_;
  Settings settings_;
  bool interrupt_ = false;                     // the host's answer ends the turn as well
  std::map<std::string, Scope::Handle> open_;  // those that nobody has answered yet
  Scope scope_;
};

}  // namespace parlance::service
