// SPDX-License-Identifier: Apache-2.0
// The content of a user message of Claude Code's protocol, and what a prompt of the hub is made of. Values; any thread.
#pragma once

#include <string>
#include <vector>

#include "parlance/codec/json/value.h"
#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/protocol/claude/messages.h"

namespace parlance::adapter {

struct ClaudeContent {
  std::string text{};
  std::vector<hub::Attachment> attachments{};
};

// Text, or blocks: text, image, document. A block that cannot be passed on is told of in the text.
ClaudeContent read_claude_content(const json::Value& content);

// The other way; `unseen`: what the person is told of those that there is no block for, or whose bytes are gone from the store. The text tells of
// them, too.
wire::Raw write_claude_content(const ClaudeContent& content, std::vector<hub::event::Failure>& unseen);

// What a host wants the agent to be told before the conversation: a text, or several. Nothing: it says nothing of it.
std::optional<std::string> claude_system_prompt(const wire::Raw& wanted);

}  // namespace parlance::adapter
