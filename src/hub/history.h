// The conversation as a language model wants it: a fold over events. Pure; values; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hub/event.h"
#include "hub/tools.h"

namespace parlance::hub {

enum class Role : std::uint8_t { user, assistant, tool };

struct ToolResult {
  std::string call{};
  std::string text{};
  ToolEndState state = ToolEndState::done;
  friend bool operator==(const ToolResult&, const ToolResult&) = default;
};

struct ChatMessage {
  Role role = Role::user;
  std::string content{};
  std::vector<ToolCall> calls{};              // assistant
  std::vector<ToolResult> results{};          // tool: of all calls of the message before it, in their order
  std::uint64_t event = 0;                    // user: number of its event
  std::vector<AttachmentInfo> attachments{};  // user
};

// Every call gets exactly one result, right after the message that made it, also when the turn was interrupted (models refuse a
// history with an open call). A call that starts after another of the same message has ended begins a new message. Thinking,
// errors and the calls of sub-agents are left out.
class History {
 public:
  void add(const Event& event);
  std::vector<ChatMessage> messages() const;

 private:
  struct Call {
    ToolCall call;
    std::string output;
    bool ended = false;
    ToolEndState state = ToolEndState::cancelled;
    std::string note;  // what a person said when rejecting
  };
  struct Message {
    Role role = Role::user;
    std::string content{};
    std::vector<Call> calls{};
    std::uint64_t event = 0;
    std::vector<AttachmentInfo> attachments{};
  };
  Call* find(const std::string& call);
  Call* interrupted(const std::string& call);
  Message& assistant_for_text();
  void add_call(const event::ToolStart& start);
  static ToolResult result_of(const Call& call);

  std::vector<Message> messages_;
  std::vector<std::pair<std::string, std::string>> ask_calls_;  // open asks and their calls
  bool turn_began_ = false;                                     // what comes next never continues a message of the turn before
};

std::vector<ChatMessage> history_of(std::span<const Event> events);

// The last message of the person, as the occasion of the calls that follow it; empty when there is none.
Occasion occasion_of(std::span<const ChatMessage> messages);

}  // namespace parlance::hub
