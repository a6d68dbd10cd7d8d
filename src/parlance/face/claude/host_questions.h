// SPDX-License-Identifier: Apache-2.0
// Sends requests of the hub's agent to a host of Claude Code: first the host's rules, then its PermissionRequest hooks and the
// host in parallel; the first decision counts. Requests of a relayed Claude Code and their answers pass unchanged. Loop thread
// only; hub, agent, hooks and tools must outlive the object.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>

#include "parlance/adapter/claude/relay.h"
#include "parlance/async/scope.h"
#include "parlance/codec/json/value.h"
#include "parlance/face/claude/host_hooks.h"
#include "parlance/face/claude/host_tools.h"
#include "parlance/face/claude/rules.h"
#include "parlance/hub/user_hub.h"
#include "parlance/protocol/claude/agent.h"

namespace parlance::face {

class HostQuestions {
 public:
  struct Settings {
    std::string conversation{};
    std::function<bool()> asks{};  // whether the host answers requests; otherwise requests are refused
    std::function<const json::Value*(const std::string& call)> input_of{};  // of a running call; null: unknown
    HostTools::HookInput hook_input{};                                      // common input of hooks
    std::function<void(const claude::PermissionUpdate&)> update{};          // a rule, mode or folder in an answer
    adapter::ClaudeRelay* relay = nullptr;  // to a relayed Claude Code, which has applied its rules itself
  };
  HostQuestions(Loop& loop, hub::UserHub hub, claude::AgentSide& agent, HostHooks& hooks, HostTools& tools, ClaudeRules& rules,
                Settings settings)
      : loop_(loop),
        hub_(std::move(hub)),
        agent_(agent),
        hooks_(hooks),
        tools_(tools),
        rules_(rules),
        settings_(std::move(settings)),
        scope_(loop) {}
  ~HostQuestions() { scope_.cancel(); }

  void ask(const hub::Ask& ask);
  void withdraw(const std::string& ask);
  bool take_interrupt() { return std::exchange(interrupted_, false); }  // an answer of the host ended the turn

 private:
  struct Decided {
    hub::Answer given{};
    bool ends_turn = false;
  };
  struct Race;  // between the host and its hooks
  Task<void> settle(hub::Ask ask);
  Task<Decided> decide(const hub::Ask& ask);
  Task<Decided> decide_by_host(const hub::Ask& ask, claude::CanUseTool request, RuledCall call);
  Task<void> ask_host(Race& race, claude::CanUseTool request);
  Task<void> ask_hooks(Race& race, json::Object input, std::string tool);
  Decided allowed(const hub::Ask& ask, const RuledCall& call, const claude::Allow& allow);
  Task<const HostTools::Passed*> passed(const hub::Ask& ask, const claude::CanUseTool& request, Decided& refused);
  const std::string& folder() const;
  adapter::ClaudeRelay::Question* relayed(const hub::Ask& ask) const;  // null: not a request of Claude Code
  claude::CanUseTool request_for(const hub::Ask& ask) const;
  static hub::Answer choose(const hub::Ask& ask, std::initializer_list<hub::OptionKind> kinds, std::string text = {});
  static Decided refuse(const hub::Ask& ask, std::string reason);
  static hub::Answer answers_of(const hub::Ask& ask, const json::Value& input);

  Loop& loop_;
  hub::UserHub hub_;
  claude::AgentSide& agent_;
  HostHooks& hooks_;
  HostTools& tools_;
  ClaudeRules& rules_;
  Settings settings_;
  bool interrupted_ = false;
  std::map<std::string, Scope::Handle> open_;  // requests without an answer
  Scope scope_;
};

}  // namespace parlance::face
