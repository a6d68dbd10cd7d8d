// SPDX-License-Identifier: Apache-2.0
// A conversation as every frontend shows it and the store keeps it. Values; any thread.
// Times are RFC 3339 text (UTC, milliseconds), as stored and shown. Such texts sort by time, and this code does no arithmetic
// with them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/conversation/mode.h"
#include "parlance/hub/conversation/prompt.h"
#include "parlance/hub/team/user.h"

namespace parlance::hub {

enum class ConversationState : std::uint8_t { idle, running, waiting };  // waiting: running, with an open request to a person

// A prompt that waits for the turn before it. The queue continues by itself only after a turn that ended well. After a stop, an
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

// Settings of an agent beside mode, model and thinking.
enum class OptionType : std::uint8_t { choice, boolean };

struct OptionValue {
  std::string value{};
  std::string name{};
  std::string description{};
  friend bool operator==(const OptionValue&, const OptionValue&) = default;
};

struct AgentOption {
  std::string id{};
  std::string name{};  // for people
  std::string description{};
  std::string category{};  // ACP's: mode, model, model_config, thought_level; empty: no category
  OptionType kind = OptionType::choice;
  std::vector<OptionValue> values{};  // of a choice
  std::string value{};                // current value; of a boolean "true" or "false"
  friend bool operator==(const AgentOption&, const AgentOption&) = default;
};

// The options `offered`, replaced by options of `chosen` with the same id; options known only to the conversation's agent follow.
std::vector<AgentOption> options_in_force(const std::vector<AgentOption>& offered, const std::vector<AgentOption>& chosen);
// Checks whether the option accepts `value`. Errors: invalid_params, with the possible values.
Result<void> check_option(const AgentOption& option, std::string_view value);
// The chosen value of an option; empty: the agent's own choice.
std::string option_value(const std::vector<AgentOption>& options, std::string_view id);

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
  // Set for a conversation that a program began for a single request; names the interface: "http". Frontends see it once it asks
  // a person. Its creator removes it; the next start removes leftovers.
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

enum class Health : std::uint8_t { ready, starting, down };

struct AgentInfo {
  std::string id{};
  std::string name{};
  Health state = Health::ready;
  std::string detail{};
  std::vector<Mode> modes{};
  std::vector<std::string> models{};
  bool scripted = false;  // answers come from a script, and frontends must say so
  // Accepted media types beside text: "image/png", "text/*"; absent: unknown.
  std::optional<std::vector<std::string>> media_types{};
  std::optional<bool> keeps_sessions{};                 // AgentProvider::sessions may list sessions
  std::optional<std::vector<AgentOption>> options{};    // the possible options, with the agent's default
  std::optional<std::vector<SlashCommand>> commands{};  // valid until a conversation's agent reports its own (event::Commands)
  // The agent works on the machine of this runner, in these folders and below; absent: on this machine.
  std::optional<std::string> place{};
  std::optional<std::vector<std::string>> folders{};
  // User::id of the account's owner: only this user may begin conversations. Absent: all users may. Not shown to frontends.
  std::optional<std::string> user{};
  friend bool operator==(const AgentInfo&, const AgentInfo&) = default;
};

struct ServiceInfo {
  std::string name{};
  Health state = Health::ready;
  std::string detail{};
  friend bool operator==(const ServiceInfo&, const ServiceInfo&) = default;
};

}  // namespace parlance::hub
