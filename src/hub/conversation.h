// A conversation as every face shows it and the store keeps it. Values; any thread.
// Times are RFC 3339 text (UTC, milliseconds): that is how they are kept and shown, they sort as text, and nothing here
// calculates with them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hub/attachment.h"
#include "hub/prompt.h"

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
  friend bool operator==(const QueuedPrompt&, const QueuedPrompt&) = default;
};

struct Conversation {
  std::string id{};
  std::string title{};   // from the first message, until a person gives one
  std::string agent{};   // AgentInfo::id
  std::string folder{};  // absolute path
  Mode mode = Mode::default_;
  std::string model{};  // empty: the agent's default
  bool think = false;
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

  // Not shown to faces.
  std::string turn{};            // the running turn, or empty; found not empty at start-up, it was interrupted
  std::string native_session{};  // what the agent calls this conversation
  friend bool operator==(const Conversation&, const Conversation&) = default;
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
  friend bool operator==(const AgentInfo&, const AgentInfo&) = default;
};

struct ServiceInfo {
  std::string name{};
  Health state = Health::ready;
  std::string detail{};
  friend bool operator==(const ServiceInfo&, const ServiceInfo&) = default;
};

}  // namespace parlance::hub
