// SPDX-License-Identifier: Apache-2.0
// The part of a conversation that agents and tools see: folders, mode, model, options, and the agent session to continue. State,
// queue and times of a conversation concern no driver (docs/decisions/0078-an-agent-sees-a-part-of-a-conversation.md). Values;
// any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/mode.h"

namespace parlance::hub {

// The agent session of a conversation, and the way to continue it.
struct AgentSession {
  // fork: of a copy. The agent begins with the content of that session, under a new id, and reports the new id.
  enum class How : std::uint8_t { resume, fork };
  std::string id{};  // empty: the agent has not reported an id
  How how = How::resume;
  // The next agent begins a new session.
  bool empty() const { return id.empty(); }
  friend bool operator==(const AgentSession&, const AgentSession&) = default;
};

// SessionSetup::via while the hub copies the messages of an agent session. Absent afterwards.
inline constexpr std::string_view via_adoption = "adoption";

struct SessionSetup {
  std::string id{};      // of the conversation
  std::string title{};   // from the first message, until a person gives one
  std::string agent{};   // AgentInfo::id
  std::string folder{};  // absolute path
  // Further folders that count as inside: absolute, existing. Relative paths refer to `folder` alone.
  std::vector<std::string> folders{};
  bool named = false;  // a person gave the title: no agent changes it
  Mode mode = Mode::default_;
  std::string model{};  // empty: the agent's default
  bool think = false;   // the model thinks before its answer
  // Options chosen in this conversation or reported by its agent; all other options as in AgentInfo (options_in_force).
  std::optional<std::vector<AgentOption>> options{};
  // Hidden from frontends until its first request to a person: the interface ("http") of a conversation that a program began for a
  // single request, or via_adoption. The creator removes the conversation, and the next start removes leftovers.
  std::optional<std::string> via{};
  std::optional<std::string> user{};  // User::id of the owner; absent: the person of this machine
  // The runner on whose machine the agent and the folders are; absent: the gateway's machine.
  std::optional<std::string> runner{};
  AgentSession agent_session{};  // not shown to frontends
  friend bool operator==(const SessionSetup&, const SessionSetup&) = default;

  // `whom`: User::id; empty: the person of this machine.
  bool is_of(std::string_view whom) const { return user ? *user == whom : whom.empty(); }
};

}  // namespace parlance::hub
