// SPDX-License-Identifier: Apache-2.0
// Converts the content of a user message of Claude Code's protocol from and to a prompt of the hub. Values; any thread.
#pragma once

#include <string>
#include <vector>

#include "parlance/codec/json/value.h"
#include "parlance/hub/conversation/attachment.h"
#include "parlance/protocol/claude/messages.h"

namespace parlance::hub::event {
struct Failure;  // hub/conversation/event.h
}

namespace parlance::adapter {

struct ClaudeContent {
  std::string text{};
  std::vector<hub::Attachment> attachments{};
};

// Text, or blocks: text, image, document. The text mentions unsupported blocks.
ClaudeContent read_claude_content(const json::Value& content);

// The reverse; `unseen`: warnings for the person about unsupported attachments and attachments without bytes in the store. The
// text mentions them too.
wire::Raw write_claude_content(const ClaudeContent& content, std::vector<hub::event::Failure>& unseen);

// The host's system prompt: a text, or several. Nothing: absent.
std::optional<std::string> claude_system_prompt(const wire::Raw& wanted);

}  // namespace parlance::adapter
