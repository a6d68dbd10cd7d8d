// SPDX-License-Identifier: Apache-2.0
// A conversation as every face shows it and the store keeps it. Values; any thread.
// Times are RFC 3339 text (UTC, milliseconds): that is how they are kept and shown, they sort as text, and nothing here
// calculates with them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/conversation/prompt.h"
#include "parlance/hub/team/user.h"

namespace parlance::hub {

// What an agent may do without asking (policy.h): `default` is a keyword, hence the underscore.
enum class Mode : std::uint8_t { default_, auto_edit, yolo, plan, smart };
std::string_view to_string(Mode mode);  // "default", "autoEdit", "yolo", "plan", "smart"

enum class ConversationState : std::uint8_t { idle, running, waiting };  // waiting: running, and a person is asked something

// A prompt that waits for the turn before it. The queue flows on by itself only after a turn that ended well; after a stop, an
// error or a restart it is held until the person sends the next prompt or lets it go on, because what was queued may no longer be wanted.
struct QueuedPrompt {
  std::string id{};
  std::string text{};
  std::optional<PromptOptions> options{};
  std::optional<std::vector<AttachmentInfo>> attachments{};
  std::optional<std::vector<PromptContext>> context{};
  std::optional<std::string> by{};  // User::name of who wrote it; absent: the person of this machine
  friend bool operator==(const QueuedPrompt&, const QueuedPrompt&) = default;
};

// What an agent lets a person choose beside mode, model and thinking.
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
  std::string category{};  // ACP's: mode, model, model_config, thought_level; empty: none of them
  OptionType kind = OptionType::choice;
  std::vector<OptionValue> values{};  // of a choice
  std::string value{};                // in force; of a boolean "true" or "false"
  friend bool operator==(const AgentOption&, const AgentOption&) = default;
};

// What is `offered`, with what is `chosen` in the place of the same ids; what only the conversation's agent knows comes behind.
std::vector<AgentOption> options_in_force(const std::vector<AgentOption>& offered, const std::vector<AgentOption>& chosen);
// `value` of it, or the fault. Errors: invalid_params, with what can be chosen.
Result<void> check_option(const AgentOption& option, std::string_view value);
// The chosen value of an option; empty: the agent's own choice.
std::string option_value(const std::vector<AgentOption>& options, std::string_view id);

struct SlashCommand {
  std::string name{};  // without the slash
  std::string description{};
  std::optional<std::string> hint{};  // what may follow it
  friend bool operator==(const SlashCommand&, const SlashCommand&) = default;
};

// What an agent calls a conversation, and how it goes on with what it keeps of it.
struct NativeSession {
  // fork: of a copy; its agent begins with what that session holds, under a name of its own, and tells that name then.
  enum class How : std::uint8_t { resume, fork };
  std::string id{};  // empty: the agent has told none yet
  How how = How::resume;
  bool empty() const { return id.empty(); }
  friend bool operator==(const NativeSession&, const NativeSession&) = default;
};

struct Conversation {
  std::string id{};
  std::string title{};   // from the first message, until a person gives one
  std::string agent{};   // AgentInfo::id
  std::string folder{};  // absolute path
  // More folders that count as inside, chosen by a person or a face: absolute, existing. Relative paths are those of `folder` alone.
  std::vector<std::string> folders{};
  bool named = false;              // a person gave the title: no agent changes it
  std::optional<bool> archived{};  // a person put it away; only a list shows less
  Mode mode = Mode::default_;
  std::string model{};  // empty: the agent's default
  bool think = false;
  // Options that were chosen here, or that its agent told of this conversation; any other is as AgentInfo says (options_in_force).
  std::optional<std::vector<AgentOption>> options{};
  ConversationState state = ConversationState::idle;
  std::uint32_t open_asks = 0;  // open and orphaned: what waits for a person
  std::vector<QueuedPrompt> queued{};
  // What a running turn waits for that is no person, such as a free place at the agent, in words. True while the program runs: kept nowhere.
  std::optional<std::string> waits_for{};
  std::uint64_t last_seq = 0;
  std::string created_at{};
  std::string updated_at{};
  // What a program began for one request of its own, by the way it came: "http". Faces hear of it once it asks a person something, and
  // whoever began it removes it; what a program left behind is removed at the next start.
  std::optional<std::string> via{};
  std::optional<std::string> user{};  // User::id of whose it is; absent: the person's of this machine
  std::optional<Access> access{};     // of others of the team; absent: private
  // The runner on whose machine it works, and the folders lie; absent: those of the gateway.
  std::optional<std::string> place{};

  // Not shown to faces.
  std::string turn{};  // the running turn, or empty; found not empty at start-up, it was interrupted
  NativeSession native_session{};
  friend bool operator==(const Conversation&, const Conversation&) = default;

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
  bool scripted = false;  // answers come from a script, and the face has to say so
  // What it can be shown beside words: "image/png", "text/*"; absent: it does not say.
  std::optional<std::vector<std::string>> media_types{};
  std::optional<bool> keeps_sessions{};                 // AgentProvider::sessions may tell some
  std::optional<std::vector<AgentOption>> options{};    // what can be chosen, with the agent's own choice
  std::optional<std::vector<SlashCommand>> commands{};  // before a conversation's agent tells its own (event::Commands)
  // It works on the machine of this runner, in these folders and below them; absent: here.
  std::optional<std::string> place{};
  std::optional<std::vector<std::string>> folders{};
  // User::id of whose account it works with: nobody else begins anything with it. Absent: all may. Not shown to faces.
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
