// What happened in a conversation: numbered from 1 without gaps, written before anyone is told, never changed. A transcript is a
// fold over events. Values; any thread. The JSON form is in store/event_tables.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "hub/ask.h"
#include "hub/conversation.h"

namespace parlance::hub {

enum class ToolEndState : std::uint8_t { done, failed, rejected, cancelled };
enum class StopReason : std::uint8_t { end_turn, max_tokens, refusal, cancelled, max_turns, error };
enum class PlanStatus : std::uint8_t { pending, in_progress, completed };
enum class PlanPriority : std::uint8_t { high, medium, low };

struct PlanEntry {
  std::string content{};
  PlanStatus status = PlanStatus::pending;
  PlanPriority priority = PlanPriority::medium;
  friend bool operator==(const PlanEntry&, const PlanEntry&) = default;
};

namespace event {

struct TurnStart {
  std::string turn{};
  friend bool operator==(const TurnStart&, const TurnStart&) = default;
};
struct UserMessage {
  std::string turn{};
  std::string text{};
  std::optional<std::vector<AttachmentInfo>> attachments{};
  friend bool operator==(const UserMessage&, const UserMessage&) = default;
};
struct Text {  // a piece: append to the text before it
  std::string text{};
  friend bool operator==(const Text&, const Text&) = default;
};
struct ThinkingStart {
  friend bool operator==(const ThinkingStart&, const ThinkingStart&) = default;
};
struct ThinkingContent {  // a piece
  std::string text{};
  friend bool operator==(const ThinkingContent&, const ThinkingContent&) = default;
};
struct ThinkingEnd {
  std::int64_t duration_ms = 0;
  friend bool operator==(const ThinkingEnd&, const ThinkingEnd&) = default;
};
// A second start of the same call (after `reask`) begins it anew.
struct ToolStart {
  std::string call{};
  std::string tool{};
  std::string title{};
  std::string input_json{};  // one JSON value, untouched; empty means null
  std::optional<std::string> parent{};
  friend bool operator==(const ToolStart&, const ToolStart&) = default;
};
struct ToolOutput {  // a piece
  std::string call{};
  std::string text{};
  std::optional<bool> progress{};  // true: how far it is, for people; the model does not read it
  friend bool operator==(const ToolOutput&, const ToolOutput&) = default;
};
struct ToolEnd {
  std::string call{};
  ToolEndState state = ToolEndState::done;
  std::optional<Diff> diff{};
  friend bool operator==(const ToolEnd&, const ToolEnd&) = default;
};
struct ToolConfirmation {
  Ask ask{};
  friend bool operator==(const ToolConfirmation&, const ToolConfirmation&) = default;
};
struct UserQuestion {
  Ask ask{};
  friend bool operator==(const UserQuestion&, const UserQuestion&) = default;
};
struct PlanApproval {
  Ask ask{};
  friend bool operator==(const PlanApproval&, const PlanApproval&) = default;
};
struct AskSettled {
  std::string ask{};
  AskState state = AskState::answered;
  std::optional<std::string> chosen{};
  std::optional<std::string> text{};
  std::string by{};
  friend bool operator==(const AskSettled&, const AskSettled&) = default;
};
struct Plan {
  std::vector<PlanEntry> entries{};
  friend bool operator==(const Plan&, const Plan&) = default;
};
struct Usage {
  std::uint64_t input_tokens = 0;
  std::uint64_t output_tokens = 0;
  std::optional<double> cost{};
  friend bool operator==(const Usage&, const Usage&) = default;
};
struct ModeChanged {
  Mode mode = Mode::default_;
  friend bool operator==(const ModeChanged&, const ModeChanged&) = default;
};
struct Failure {  // kind "error"
  std::string code{};
  std::string message{};
  std::string detail{};
  bool retryable = false;
  friend bool operator==(const Failure&, const Failure&) = default;
};
struct TurnEnd {
  std::string turn{};
  StopReason stop_reason = StopReason::end_turn;
  std::int64_t duration_ms = 0;
  friend bool operator==(const TurnEnd&, const TurnEnd&) = default;
};

}  // namespace event

using AnyEvent = std::variant<event::TurnStart, event::UserMessage, event::Text, event::ThinkingStart, event::ThinkingContent,
                              event::ThinkingEnd, event::ToolStart, event::ToolOutput, event::ToolEnd, event::ToolConfirmation,
                              event::UserQuestion, event::PlanApproval, event::AskSettled, event::Plan, event::Usage,
                              event::ModeChanged, event::Failure, event::TurnEnd>;

// The same, but copied, moved, compared and ended by code that is compiled once, in event.cpp: of itself every file that handles events
// would make its own, which takes the compiler a second.
struct EventBody : AnyEvent {
  using AnyEvent::AnyEvent;
  using AnyEvent::operator=;
  EventBody();
  EventBody(const EventBody& other);
  EventBody(EventBody&& other) noexcept;
  EventBody& operator=(const EventBody& other);
  EventBody& operator=(EventBody&& other) noexcept;
  ~EventBody();
  friend bool operator==(const EventBody& a, const EventBody& b);
};

struct Event {
  std::uint64_t seq = 0;
  std::string time{};
  EventBody body{};
  friend bool operator==(const Event&, const Event&) = default;
};

// Joins `next` to `before` when both are pieces of the same text, thought or tool output. False: they stay apart.
bool append_piece(EventBody& before, EventBody& next);
// Bytes of text that an event carries: what queues are measured in.
std::size_t weight_of(const EventBody& body);

}  // namespace parlance::hub
