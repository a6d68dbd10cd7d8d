// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/agent/event_sink.h"

#include <utility>

#include "parlance/hub/conversation/event.h"

namespace parlance::hub {

template <ReportedEvent Kind>
bool EventSink::emit(Kind event) {
  return emit(EventBody(std::move(event)));
}

template bool EventSink::emit(event::Commands);
template bool EventSink::emit(event::Failure);
template bool EventSink::emit(event::ModeChanged);
template bool EventSink::emit(event::Notice);
template bool EventSink::emit(event::OptionChanged);
template bool EventSink::emit(event::Plan);
template bool EventSink::emit(event::Text);
template bool EventSink::emit(event::ThinkingContent);
template bool EventSink::emit(event::ThinkingEnd);
template bool EventSink::emit(event::ThinkingStart);
template bool EventSink::emit(event::ToolEnd);
template bool EventSink::emit(event::ToolOutput);
template bool EventSink::emit(event::ToolStart);
template bool EventSink::emit(event::ToolUpdate);
template bool EventSink::emit(event::Usage);

}  // namespace parlance::hub
