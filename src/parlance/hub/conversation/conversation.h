// SPDX-License-Identifier: Apache-2.0
// A conversation as every frontend shows it and the store keeps it. Values; any thread.
// Times are RFC 3339 text (UTC, milliseconds), as stored and shown. Such texts sort by time; the code does no arithmetic
// with times.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/conversation/mode.h"
#include "parlance/hub/conversation/prompt.h"
#include "parlance/hub/team/user.h"

namespace parlance::hub {

enum class ConversationState : std::uint8_t { idle, running, waiting };  // waiting: running, with an open request to a person

// A prompt in the queue. The queue continues by itself only after a turn that ended well. After a stop, an
// error or a restart the hub holds the queue until the person sends a prompt or resumes it. The queued prompts may be obsolete by
// then.
struct QueuedPrompt {
  std::string id{};
  std::string text{};
  std::optional<PromptOptions> options{};
  std::optional<std::vector<AttachmentInfo>> attachments{};
  std::optional<std::vector<PromptContext>> context{};
  std::optional<std::string> by{};  // User::name of the author; absent: the person of this machine
  friend bool operator==(const QueuedPrompt&, const QueuedPrompt&) = default;
};

// The agent session of a conversation, and the way to continue it.
struct NativeSession {
  // fork: of a copy. The agent begins with the content of that session, under a new id, and reports the new id.
  enum class How : std::uint8_t { resume, fork };
  std::string id{};  // empty: the agent has not reported an id
  How how = How::resume;
  bool empty() const { return id.empty(); }
  friend bool operator==(const NativeSession&, const NativeSession&) = default;
};

struct Conversation {
  std::string id{};
  std::string title{};   // from the first message, until a person gives one
  std::string agent{};   // AgentInfo::id
  std::string folder{};  // absolute path
  // Further folders that count as inside, chosen by a person or a frontend: absolute, existing. Relative paths refer to `folder`
  // alone.
  std::vector<std::string> folders{};
  bool named = false;              // a person gave the title: no agent changes it
  std::optional<bool> archived{};  // by a person; only lists omit archived conversations
  Mode mode = Mode::default_;
  std::string model{};  // empty: the agent's default
  bool think = false;
  // Options chosen in this conversation or reported by its agent; all other options as in AgentInfo (options_in_force).
  std::optional<std::vector<AgentOption>> options{};
  ConversationState state = ConversationState::idle;
  std::uint32_t open_asks = 0;  // open and orphaned asks
  std::vector<QueuedPrompt> queued{};
  // The reason for which a running turn waits, other than a person, such as a free slot at the agent, in words. Not stored.
  std::optional<std::string> waits_for{};
  std::uint64_t last_seq = 0;
  std::string created_at{};
  std::string updated_at{};
  // Set for a conversation that a program began for a single request: the name of the interface ("http"). Frontends see the
  // conversation after its first request to a person. The creator removes the conversation, and the next start removes leftovers.
  std::optional<std::string> via{};
  std::optional<std::string> user{};  // User::id of the owner; absent: the person of this machine
  std::optional<Access> access{};     // access of other team members; absent: private
  // The runner on whose machine the agent and the folders are; absent: the gateway's machine.
  std::optional<std::string> place{};

  // Not shown to frontends.
  std::string turn{};  // the running turn, or empty; not empty at start-up: the turn was interrupted
  NativeSession native_session{};
  friend bool operator==(const Conversation&, const Conversation&) = default;

  bool is_active() const { return state != ConversationState::idle || open_asks != 0 || !queued.empty() || !turn.empty(); }
  bool is_of(std::string_view whom) const { return user ? *user == whom : whom.empty(); }
};

}  // namespace parlance::hub
