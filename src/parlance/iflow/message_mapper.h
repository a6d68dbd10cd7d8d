// SPDX-License-Identifier: Apache-2.0
// Converts updates of a session to messages. Keeps the known state of each running tool call, so that every message is complete.
// Sans-I/O; one owner.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "parlance/iflow/messages.h"

namespace parlance::iflow {

class MessageMapper {
 public:
  // Nothing for updates without a message: other kinds of updates, empty texts, pictures.
  std::optional<Message> map(const acp::SessionUpdate& update);
  // The message of a tool call with a permission request: the call's state, with the confirmation.
  ToolCallMessage asking(const acp::RequestPermission& asked, RequestNumber request);
  // Ends the turn: drops the state of its calls.
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
