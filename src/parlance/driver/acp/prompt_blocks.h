// SPDX-License-Identifier: Apache-2.0
// Converts a prompt of the hub into ACP blocks: text, editor context, attachments. The function `prompt_blocks` is pure.
#pragma once

#include <string>
#include <vector>

#include "parlance/adapter/acp/plan_mode.h"
#include "parlance/adapter/acp/prompt.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/conversation/notice.h"
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
  std::size_t file_bytes = adapter::prompt_file_bytes;  // per file sent as text
};
struct PromptBlocks {
  std::vector<acp::Content> blocks{};
  std::vector<hub::event::Failure> unseen{};  // attachments that the agent cannot receive: for the person
};
// Sends pictures, sounds and resources as blocks if the agent supports them; names other content in the text, with a notice. An
// iFlow agent gets a single text with sections, as from its SDK.
PromptBlocks prompt_blocks(PromptInput input);
// Reads a prompt's attachments from the hub. Errors: the store's.
Task<Result<std::vector<hub::Attachment>>> attachments_of(hub::Turn& turn, const std::vector<hub::AttachmentInfo>& named);

}  // namespace parlance::driver
