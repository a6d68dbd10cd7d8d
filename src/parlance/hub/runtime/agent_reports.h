// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: what an agent reports about its conversation, during a turn and between turns. Loop thread only.
#pragma once

#include <string>
#include <vector>

#include "parlance/hub/runtime/conversation_runtime.h"
#include "parlance/hub/runtime/publisher.h"
#include "parlance/hub/runtime/request_book.h"

namespace parlance::hub {

// Each setter compares with the current value: an equal report writes and publishes no change.
class AgentReports {
 public:
  AgentReports(Publisher& publisher, RequestBook& requests) : publisher_(publisher), requests_(requests) {}

  // Writes a ModeChanged and the row. The new mode may settle open requests. Callers have refused a mode with more rights.
  void set_mode(ConversationRuntime& runtime, Mode mode);
  void set_options(ConversationRuntime& runtime, std::vector<AgentOption> options);  // all options; differences become events
  // Writes the row: the next agent of the conversation resumes this session, also after a restart.
  void set_agent_session(ConversationRuntime& runtime, std::string id);
  void set_waits_for(ConversationRuntime& runtime, std::string what);  // empty: the turn continues

 private:
  Publisher& publisher_;
  RequestBook& requests_;
};

}  // namespace parlance::hub
