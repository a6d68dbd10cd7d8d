// The content of a user message of Claude Code's protocol, and what a prompt of the hub is made of. Values; any thread.
#pragma once

#include <string>
#include <vector>

#include "codec/json/value.h"
#include "hub/attachment.h"
#include "protocol/claude/messages.h"

namespace parlance::service {

struct ClaudeContent {
  std::string text{};
  std::vector<hub::Attachment> attachments{};
};

// Text, or blocks: text, image, document. A block that cannot be passed on is told of in the text.
ClaudeContent read_claude_content(const json::Value& content);

// The other way; `unseen`: those that there is no block for, which the text tells of.
wire::Raw write_claude_content(const ClaudeContent& content, std::vector<hub::AttachmentInfo>& unseen);

// What a host wants the agent to be told before the conversation: a text, or several. Nothing: it says nothing of it.
std::optional<std::string> claude_system_prompt(const wire::Raw& wanted);

}  // namespace parlance::service
