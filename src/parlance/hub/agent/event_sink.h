// SPDX-License-Identifier: Apache-2.0
// Receives the events that an agent reports: during a turn, between turns, and from an earlier session (agent.h). Loop thread only.
#pragma once

#include <concepts>

#include "parlance/async/task.h"
#include "parlance/base/result.h"

namespace parlance::hub {

struct EventBody;  // conversation/event.h

namespace event {
struct Commands;         // conversation/prompt.h
struct Failure;          // conversation/notice.h
struct ModeChanged;      // conversation/mode.h
struct Notice;           // conversation/notice.h
struct OptionChanged;    // conversation/agent_info.h
struct Plan;             // conversation/plan.h
struct Text;             // conversation/turn_event.h
struct ThinkingContent;  // conversation/turn_event.h
struct ThinkingEnd;      // conversation/turn_event.h
struct ThinkingStart;    // conversation/turn_event.h
struct ToolEnd;          // conversation/tool_event.h
struct ToolOutput;       // conversation/tool_event.h
struct ToolStart;        // conversation/tool_event.h
struct ToolUpdate;       // conversation/tool_event.h
struct Usage;            // conversation/usage.h
}  // namespace event

template <class Kind, class... Kinds>
concept OneOf = (std::same_as<Kind, Kinds> || ...);

// The kinds of events that an agent may report at any time.
template <class Kind>
concept ReportedEvent = OneOf<Kind, event::Commands, event::Failure, event::ModeChanged, event::Notice, event::OptionChanged,
                              event::Plan, event::Text, event::ThinkingContent, event::ThinkingEnd, event::ThinkingStart,
                              event::ToolEnd, event::ToolOutput, event::ToolStart, event::ToolUpdate, event::Usage>;

class EventSink {
 public:
  // Appends an event. False: refused. Never waits; while `congested`, wait for `written` before emitting more.
  virtual bool emit(EventBody body) = 0;
  // The same, for senders that include only the header of their kind, not event.h.
  template <ReportedEvent Kind>
  bool emit(Kind event);
  // Back-pressure: more than limits::unwritten_event_bytes wait for the store.
  virtual bool congested() const = 0;
  virtual Task<Result<void>> written() = 0;  // all emitted events are on disk and published

 protected:
  ~EventSink() = default;
};

}  // namespace parlance::hub
