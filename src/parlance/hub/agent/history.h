// SPDX-License-Identifier: Apache-2.0
// The conversation as input of a language model: a fold over events. Pure; values; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/conversation/tool_call.h"
#include "parlance/hub/conversation/tool_event.h"

namespace parlance::hub {

struct Event;  // conversation/event.h
namespace event {
struct UserMessage;
}

enum class Role : std::uint8_t { user, assistant, tool };

// The result of a call as a model reads it.
struct ToolResult {
  std::string call{};  // ToolCall::id
  std::string text{};
  ToolEndState state = ToolEndState::done;
  std::vector<AttachmentInfo> pictures{};
  friend bool operator==(const ToolResult&, const ToolResult&) = default;
};

// A message in the order of a model's conversation: a user message, an answer with its calls, then their results.
struct ChatMessage {
  Role role = Role::user;
  std::string content{};
  std::size_t words_at = 0;                   // user: byte where the person's words begin, behind the context of the editor
  std::vector<ToolCall> calls{};              // assistant
  std::vector<ToolResult> results{};          // tool: of all calls of the message before it, in their order
  std::uint64_t event = 0;                    // user: number of its event
  std::vector<AttachmentInfo> attachments{};  // user
  bool after_others = false;                  // first message only: the history omits older messages
};

// A position in a History, behind messages that no longer change. Invalid for another History, and after the history drops or
// clears messages. Empty: the begin.
struct HistoryMark {
  // The identity of a History between two drops, and the number of its messages before the mark.
  std::shared_ptr<const char> history{};
  std::size_t at = 0;
};

// The messages of a History behind a mark.
struct HistoryPart {
  bool continues = false;  // false: the mark was empty or invalid, and `messages` is the whole history
  std::vector<ChatMessage> messages{};
  std::size_t settled = 0;  // number of messages before the newest prompt, which no longer change
  HistoryMark mark{};       // behind the settled messages
};

// The most bytes of a conversation for an agent: 98,000 tokens of four bytes. Models with today's smallest windows (128,000
// tokens) keep room for instructions, tools and an answer. The limit also bounds the cost of a turn in a long conversation.
inline constexpr std::size_t default_history_bytes = 384 << 10;

// Above `most_bytes` (0: no limit), the history drops the oldest turns until half of `most_bytes` remains. The rest stays
// unchanged for many turns, so a model need not read the same messages again. The newest prompt and all later messages always
// stay.
//
// Every call gets exactly one result, right after the message with the call, also in an interrupted turn. Models refuse a
// history with an open call. A call after the end of another call of the same message begins a new message. The history omits
// thinking, errors, calls of sub-agents, and all events before an event `cleared`.
class History {
 public:
  explicit History(std::size_t most_bytes = 0) : most_bytes_(most_bytes) {}
  History(History&&) = default;
  History& operator=(History&&) = default;
  // The next event of the log, in order; the first need not be number 1. Drops old turns at prompts only.
  void add(const Event& event);
  // A copy of all messages. Open calls have a result "interrupted".
  std::vector<ChatMessage> messages() const;
  // Costs as much as the returned messages. The first of them has `after_others`, also behind a mark.
  HistoryPart since(const HistoryMark& mark);
  // About the bytes of all messages: repeated announcements of a call count twice until the next drop.
  std::size_t bytes() const { return bytes_; }
  void begin_after_others() { after_others_ = true; }  // the history omits earlier messages

 private:
  // A call with its result so far, and a message, as events have built them.
  struct Call {
    ToolCall call;
    std::string output;
    std::string shown;  // texts of the content: the result of a call without output
    std::vector<AttachmentInfo> pictures;
    bool ended = false;
    ToolEndState state = ToolEndState::cancelled;
    std::string note;  // the person's words with a rejection
  };
  struct Message {
    Role role = Role::user;
    std::string content{};
    std::size_t words_at = 0;
    std::vector<Call> calls{};
    std::uint64_t event = 0;
    std::vector<AttachmentInfo> attachments{};
  };
  // The call with this id since the newest prompt; null: none.
  Call* find(const std::string& call);
  // Like `find`, but only a call without a result, which a second start resumes.
  Call* interrupted(const std::string& call);
  // The message for further text: the last one, unless it has calls.
  Message& assistant_for_text();
  // Begins a message of the person, and drops old turns above the limit.
  void add_prompt(const event::UserMessage& said, std::uint64_t event);
  // Adds the call to the message before, to a new message, or again to its own. Ignores calls of sub-agents.
  void add_call(const event::ToolStart& start);
  // Replaces input and content; ignores unknown calls.
  void update_call(const event::ToolUpdate& update);
  // Forgets all messages and invalidates all marks.
  void clear();
  // Drops whole turns down to half of the limit, recounts the bytes and invalidates all marks.
  void forget_oldest();
  // The weight of a message against the limit; a picture counts as 6 KiB.
  static std::size_t bytes_of(const Message& message);
  // Adds the message in its form for models, followed by the results of its calls. Omits an empty answer.
  static void append(const Message& message, std::vector<ChatMessage>& to);
  // The text for the model, with the person's words after a rejection.
  static ToolResult result_of(const Call& call);

  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  bool after_others_ = false;
  std::shared_ptr<const char> identity_;  // of the places in `messages_`; null: no mark is valid

  std::vector<Message> messages_;
  std::vector<std::pair<std::string, std::string>> ask_calls_;  // open asks and their calls
  bool turn_began_ = false;                                     // later events never continue a message of the previous turn
};

// The messages of a whole log, without a size limit.
std::vector<ChatMessage> history_of(std::span<const Event> events);

// The person's own words in the last message, as the occasion of the following calls. Empty: no such message.
Occasion occasion_of(std::span<const ChatMessage> messages);

}  // namespace parlance::hub
