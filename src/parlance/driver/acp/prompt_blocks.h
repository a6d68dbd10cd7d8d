// SPDX-License-Identifier: Apache-2.0
// A prompt of the hub as blocks of ACP: the words, what is looked at in the editor, what is attached. `prompt_blocks` is pure.
#pragma once

#include <string>
#include <vector>

#include "parlance/adapter/acp/plan_mode.h"
#include "parlance/adapter/acp/prompt.h"
#include "parlance/hub/agent.h"
#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/conversation/prompt.h"
#include "parlance/protocol/acp/messages.h"
#include "parlance/protocol/acp/version.h"

namespace parlance::driver {

struct PromptInput {
  std::string text{};
  std::string folder{};
  std::vector<hub::PromptContext> context{};
  std::vector<hub::Attachment> attachments{};
  acp::PromptCapabilities can{};
  acp::Flavour flavour = acp::Flavour::standard;
  std::size_t file_bytes = adapter::prompt_file_bytes;  // of each file that goes along as text
};
struct PromptBlocks {
  std::vector<acp::Content> blocks{};
  std::vector<hub::event::Failure> unseen{};  // what the agent cannot be shown: for the person
};
// Pictures, sounds and resources go as such where the agent can take them; what it cannot take is named in words, and told.
// iFlow gets one text with sections, as its SDK's users send it.
PromptBlocks prompt_blocks(PromptInput input);
// What of a prompt the hub holds by itself. Errors: the store's.
Task<Result<std::vector<hub::Attachment>>> attachments_of(hub::Turn& turn, const std::vector<hub::AttachmentInfo>& named);

}  // namespace parlance::driver
