// SPDX-License-Identifier: Apache-2.0
// The events of a conversation: numbered from 1 without gaps, written before publication, immutable. A transcript is a fold over
// events. Values; any thread. The JSON form is in wire_form/event_tables.h.
//
// Each kind is declared beside its subject. Senders of an event include the header of the subject, readers of events this header.
// docs/howto/add_an_event.md shows the places of a new kind. The compilers report each forgotten place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/mode.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/plan.h"
#include "parlance/hub/conversation/prompt.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/conversation/usage.h"

namespace parlance::hub {

// Other frontends than the page (parlance run, serve-claude, HTTP clients) handle each kind by name or ignore kinds with this
// mark. With another kind, a frontend does not compile.
template <class Kind>
concept ForPagesAlone = requires { requires Kind::for_pages_alone; };

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
  std::uint64_t seq = 0;  // 0: not written yet
  std::string time{};     // RFC 3339, UTC
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
