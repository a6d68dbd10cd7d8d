// SPDX-License-Identifier: Apache-2.0
// Converts the content blocks of a prompt into a prompt of the hub: text with inline links, embedded files as context, pictures
// and documents as attachments. Pure; values; any thread.
#pragma once

#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/conversation/prompt.h"
#include "parlance/protocol/acp/content.h"

namespace parlance::face {

struct AcpPrompt {
  std::string text{};
  std::vector<hub::Attachment> attachments{};
  std::vector<hub::PromptContext> context{};
};
// Errors: invalid_params, with the position ("$.prompt[2].data: …").
Result<AcpPrompt> acp_prompt(const std::vector<acp::Content>& blocks);

// Converts a user's message into blocks, for a replay or for another client. Attachments are links: the store has their bytes.
std::vector<acp::Content> acp_blocks(const std::string& text, const std::vector<hub::AttachmentInfo>& attachments,
                                     const std::vector<hub::PromptContext>& context);

// "/w/a b.txt" for "file:///w/a%20b.txt"; other addresses unchanged. And the reverse.
std::string path_of_uri(const std::string& uri);
std::string uri_of_path(const std::string& path);

}  // namespace parlance::face
