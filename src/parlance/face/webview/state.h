// SPDX-License-Identifier: Apache-2.0
// Converts the hub's state and a conversation's messages for a webview. Values; no threads.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parlance/face/webview/chunks.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/hub.h"
#include "parlance/hub/user_hub.h"
#include "parlance/protocol/webview/messages.h"

namespace parlance::face {

webview::Mode to_webview(hub::Mode mode);
hub::Mode to_hub(webview::Mode mode);
// The person's editor context for a prompt.
std::vector<hub::PromptContext> to_context(const webview::IdeContext& context);

// The newest conversations that are not archived, and `shown` (null: none). Reads pages of the list: a copy of all conversations for
// each state would be slow.
std::vector<hub::Conversation> webview_list(const hub::UserHub& hub, const hub::Conversation* shown);
// Without `messages`, version and workspace folders, which the caller adds. `agent`: WebviewSettings::agent.
webview::State webview_state(const hub::UserHub& hub, const std::string& current, const std::string& agent);
// The agent with this id, else the first available one, else the first. Null: none.
const hub::AgentInfo* webview_agent(const std::vector<hub::AgentInfo>& agents, std::string_view wanted);

webview::UserMessage to_message(const hub::event::UserMessage& said, const hub::Event& event);

// Converts events into messages; later chunks continue with the same `chunks`.
class WebviewTranscript {
 public:
  explicit WebviewTranscript(WebviewChunks& chunks) : chunks_(chunks) {}
  void take(const hub::Event& event);
  // A waiting plan without a request (webview::synthetic_request).
  void add(webview::StreamChunk chunk);
  std::vector<webview::Message> take_messages() { return std::move(messages_); }
  bool ended_well() const { return ended_well_; }  // the last event ended a turn, with end_turn

 private:
  void add(const hub::Event& event, webview::StreamChunk chunk);

  WebviewChunks& chunks_;
  std::vector<webview::Message> messages_;
  bool begins_ = false;  // a further turn without a visible message of the person
  bool ended_well_ = false;
};

}  // namespace parlance::face
