// SPDX-License-Identifier: Apache-2.0
// The conversation as a language model wants it: a fold over events. Pure; values; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "parlance/hub/conversation/event.h"
#include "parlance/hub/conversation/tool_call.h"

namespace parlance::hub {

enum class Role : std::uint8_t { user, assistant, tool };

struct ToolResult {
  std::string call{};
  std::string text{};
  ToolEndState state = ToolEndState::done;
  std::vector<AttachmentInfo> pictures{};
  friend bool operator==(const ToolResult&, const ToolResult&) = default;
};

struct ChatMessage {
  Role role = Role::user;
  std::string content{};
  std::size_t words_at = 0;                   // user: where their own words begin, behind the context of their editor
  std::vector<ToolCall> calls{};              // assistant
  std::vector<ToolResult> results{};          // tool: of all calls of the message before it, in their order
  std::uint64_t event = 0;                    // user: number of its event
  std::vector<AttachmentInfo> attachments{};  // user
  bool after_others = false;                  // the first, when older ones are left out
};

// What an agent is given of a conversation: 98,000 tokens of four bytes, which leaves the models with the smallest windows of today's
// (128,000) room for instructions, tools and an answer. A turn of a long conversation costs no more than that.
inline constexpr std::size_t default_history_bytes = 384 << 10;

// When more than `most_bytes` have come together (0: no limit), the oldest turns are left out until half of that is left, and the rest
// stays as it is for many turns: what a model has read before it need not read again. The newest prompt and what follows it always stay.
//
// Every call gets exactly one result, right after the message that made it, also when the turn was interrupted (models refuse a
// history with an open call). A call that starts after another of the same message has ended begins a new message. Thinking,
// errors and the calls of sub-agents are left out. Nothing from before an event `cleared` is in it.
class History {
 public:
  explicit History(std::size_t most_bytes = 0) : most_bytes_(most_bytes) {}
  void add(const Event& event);
  std::vector<ChatMessage> messages() const;
  std::size_t bytes() const { return bytes_; }
  void begin_after_others() { after_others_ = true; }  // what comes first was never added

 private:
  struct Call {
    ToolCall call;
    std::string output;
    std::string shown;  // texts of its content: what it has to say when it put nothing out
    std::vector<AttachmentInfo> pictures;
    bool ended = false;
    ToolEndState state = ToolEndState::cancelled;
    std::string note;  // what a person said when rejecting
  };
  struct Message {
    Role role = Role::user;
    std::string content{};
    std::size_t words_at = 0;
    std::vector<Call> calls{};
    std::uint64_t event = 0;
    std::vector<AttachmentInfo> attachments{};
  };
  Call* find(const std::string& call);
  Call* interrupted(const std::string& call);
  Message& assistant_for_text();
  void add_prompt(const event::UserMessage& said, std::uint64_t event);
  void add_call(const event::ToolStart& start);
  void update_call(const event::ToolUpdate& update);
  void clear();
  void forget_oldest();
  static std::size_t bytes_of(const Message& message);
  static ToolResult result_of(const Call& call);

  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  bool after_others_ = false;

  std::vector<Message> messages_;
  std::vector<std::pair<std::string, std::string>> ask_calls_;  // open asks and their calls
  bool turn_began_ = false;                                     // what comes next never continues a message of the turn before
};

std::vector<ChatMessage> history_of(std::span<const Event> events);

// The own words of the person's last message, as the occasion of the calls that follow it; empty when there is none.
Occasion occasion_of(std::span<const ChatMessage> messages);

}  // namespace parlance::hub
