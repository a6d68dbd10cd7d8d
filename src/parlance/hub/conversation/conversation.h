// SPDX-License-Identifier: Apache-2.0
// A conversation as every frontend shows it and the store keeps it. Values; any thread.
// Times are RFC 3339 text (UTC, milliseconds), as stored and shown. Such texts sort by time; the code does no arithmetic
// with times.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/conversation/prompt.h"
#include "parlance/hub/conversation/session_setup.h"
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

// Where a conversation is: in lists, in its queue and in its turn.
struct ConversationProgress {
  std::optional<bool> archived{};  // by a person; only lists omit archived conversations
  ConversationState state = ConversationState::idle;
  std::uint32_t open_asks = 0;         // open and orphaned asks
  std::vector<QueuedPrompt> queued{};  // the next prompt first
  // The reason for which a running turn waits, other than a person, such as a free slot at the agent, in words. Not stored.
  std::optional<std::string> waits_for{};
  std::uint64_t last_seq = 0;  // number of the last event; 0: none
  std::string created_at{};
  std::string updated_at{};        // of the last change of the row or the log
  std::optional<Access> access{};  // access of other team members; absent: private
  std::string turn{};  // the running turn, or empty; not empty at start-up: the turn was interrupted. Not shown to frontends.
  friend bool operator==(const ConversationProgress&, const ConversationProgress&) = default;

  // Has a turn, a queue or open requests: snapshots contain such conversations beyond their limit.
  bool is_active() const { return state != ConversationState::idle || open_asks != 0 || !queued.empty() || !turn.empty(); }
};

// The row of a conversation: the part for agents, and the progress.
struct Conversation : SessionSetup, ConversationProgress {
  friend bool operator==(const Conversation&, const Conversation&) = default;
};

}  // namespace parlance::hub
