// SPDX-License-Identifier: Apache-2.0
// The content blocks of a prompt as the hub takes them: its words with links where they stood, what it holds of files as context, pictures
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
// Errors: invalid_params, with the place ("$.prompt[2].data: …").
Result<AcpPrompt> acp_prompt(const std::vector<acp::Content>& blocks);

// What a user said, as the blocks of a replay or of another client's prompt. Attachments are links: their bytes lie in the store.
std::vector<acp::Content> acp_blocks(const std::string& text, const std::vector<hub::AttachmentInfo>& attachments,
                                     const std::vector<hub::PromptContext>& context);

// "/w/a b.txt" for "file:///w/a%20b.txt"; any other address as it stands. And back.
std::string path_of_uri(const std::string& uri);
std::string uri_of_path(const std::string& path);

}  // namespace parlance::face
