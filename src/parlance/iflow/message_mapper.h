// SPDX-License-Identifier: Apache-2.0
// From the updates of a session to messages. Remembers what is known of each running tool call, so that every message tells all of it.
// Sans-I/O; one owner.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "parlance/iflow/messages.h"

namespace parlance::iflow {

class MessageMapper {
 public:
  // Nothing for what is no message: other kinds of updates, empty texts, pictures.
  std::optional<Message> map(const acp::SessionUpdate& update);
  // A tool call that asks for permission: what is known of it, with the confirmation.
  ToolCallMessage asking(const acp::RequestPermission& asked, RequestNumber request);
  // The turn is over: what was known of its calls is forgotten.
  void turn_ended() { calls_.clear(); }

  static Message finished(const acp::PromptResult& result);
  static Message failed(const Error& error);
  static ToolCallMessage asking(const acp::iflow::Questions& asked, RequestNumber request);
  static ToolCallMessage asking(const acp::iflow::PlanExit& asked, RequestNumber request);

 private:
  ToolCallMessage& known(const acp::ToolCallUpdate& update, ToolCallStatus unsaid);

  std::map<std::string, ToolCallMessage, std::less<>> calls_;
};

// "edit", "execute", … as agents call kinds and types of tools.
ToolCallType confirmation_type(const acp::ToolCallUpdate& call);

}  // namespace parlance::iflow
