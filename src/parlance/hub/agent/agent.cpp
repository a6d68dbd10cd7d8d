// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/agent/agent.h"

#include <utility>

#include "parlance/hub/conversation/event.h"

namespace parlance::hub {

template <EmittedAlone Kind>
void Turn::emit(Kind event) {
  emit(EventBody(std::move(event)));
}

template <EmittedAlone Kind>
bool AgentSink::emit(Kind event) {
  return emit(EventBody(std::move(event)));
}

template void Turn::emit(event::Failure);
template void Turn::emit(event::Notice);
template void Turn::emit(event::ToolEnd);
template void Turn::emit(event::ToolOutput);
template void Turn::emit(event::ToolStart);
template void Turn::emit(event::ToolUpdate);
template void Turn::emit(event::Usage);
template bool AgentSink::emit(event::Failure);
template bool AgentSink::emit(event::Notice);
template bool AgentSink::emit(event::ToolEnd);
template bool AgentSink::emit(event::ToolOutput);
template bool AgentSink::emit(event::ToolStart);
template bool AgentSink::emit(event::ToolUpdate);
template bool AgentSink::emit(event::Usage);

}  // namespace parlance::hub
