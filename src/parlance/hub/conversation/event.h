// SPDX-License-Identifier: Apache-2.0
// The events of a conversation: numbered from 1 without gaps, written before publication, immutable. A transcript is a fold over
// events. Values; any thread. The JSON form is in wire_form/event_tables.h.
//
// A new kind needs a struct here, an entry in AnyEvent and in event.cpp's weights, its table, and its display in the page
// (apps/web/src/transcript.ts). See docs/howto/add_an_event.md. The compilers report each forgotten place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/conversation/mode.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/plan.h"
#include "parlance/hub/conversation/prompt.h"
#include "parlance/hub/conversation/stop_reason.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/usage.h"

namespace parlance::hub {

// Frontends other than the page (parlance run, serve-claude, HTTP clients) handle each kind by name or ignore kinds with this
// marker. Such a frontend does not compile with a kind outside both groups.
template <class Kind>
concept ForPagesAlone = requires { requires Kind::for_pages_alone; };

namespace event {

struct TurnStart {
  std::string turn{};
  std::optional<PromptOptions> options{};  // options for the agent from the frontend; absent: defaults
  // User::name of the user who started a turn without a message; absent: the person of this machine
  std::optional<std::string> by{};
  friend bool operator==(const TurnStart&, const TurnStart&) = default;
};
struct UserMessage {  // other frontends know their own prompts
  static constexpr bool for_pages_alone = true;
  std::string turn{};
  std::string text{};
  std::optional<std::vector<AttachmentInfo>> attachments{};
  std::optional<std::vector<PromptContext>> context{};
  std::optional<std::string> by{};  // User::name of the author; absent: the person of this machine
  friend bool operator==(const UserMessage&, const UserMessage&) = default;
};
struct Text {  // a piece: append to the text before it
  std::string text{};
  friend bool operator==(const Text&, const Text&) = default;
};
struct ThinkingStart {  // redundant for others: the first piece implies it
  static constexpr bool for_pages_alone = true;
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
  std::optional<std::string> edited{};  // the person's version of the proposal (Ask::editable); only this version was approved
  std::optional<std::string> rule{};    // Rule::id of the rule that this answer created
  friend bool operator==(const AskSettled&, const AskSettled&) = default;
};
struct Plan {
  std::vector<PlanEntry> entries{};
  friend bool operator==(const Plan&, const Plan&) = default;
};
struct ModeChanged {
  Mode mode = Mode::default_;
  std::optional<std::string> by{};  // User::name
  friend bool operator==(const ModeChanged&, const ModeChanged&) = default;
};
struct OptionChanged {  // kind "option"
  std::string id{};
  std::string name{};
  std::string value{};
  std::string by{};  // "person", "agent", User::name
  friend bool operator==(const OptionChanged&, const OptionChanged&) = default;
};
struct Commands {  // the complete list, each time
  std::vector<SlashCommand> commands{};
  friend bool operator==(const Commands&, const Commands&) = default;
};
// Every fold hides earlier events, and the agent forgets them; the log still has them.
struct Cleared {
  std::optional<std::string> by{};  // User::name
  friend bool operator==(const Cleared&, const Cleared&) = default;
};
struct TurnEnd {
  std::string turn{};
  StopReason stop_reason = StopReason::end_turn;
  std::int64_t duration_ms = 0;
  friend bool operator==(const TurnEnd&, const TurnEnd&) = default;
};

}  // namespace event

using AnyEvent = std::variant<event::TurnStart, event::UserMessage, event::Text, event::ThinkingStart, event::ThinkingContent,
                              event::ThinkingEnd, event::ToolStart, event::ToolUpdate, event::ToolOutput, event::ToolEnd,
                              event::ToolConfirmation, event::UserQuestion, event::PlanApproval, event::AskSettled, event::Plan,
                              event::Usage, event::ModeChanged, event::OptionChanged, event::Commands, event::Cleared,
                              event::Notice, event::Failure, event::TurnEnd>;

// AnyEvent with copy, move, comparison and destructor compiled once, in event.cpp. Otherwise each file that handles events would
// compile its own, which takes the compiler a second.
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
// The ask that an event contains, or null.
const Ask* ask_of(const EventBody& body);
// Bytes of text in an event: the measure of queues.
std::size_t weight_of(const EventBody& body);

}  // namespace parlance::hub
