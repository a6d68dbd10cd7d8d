// SPDX-License-Identifier: Apache-2.0
// Converts a page's requests into values of the hub. Pure; any thread.
#pragma once

#include <optional>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/conversation/mode.h"
#include "parlance/hub/conversation/prompt.h"
#include "parlance/hub/team/user.h"
#include "parlance/protocol/page/messages.h"

namespace parlance::face {

hub::Mode to_hub(page::Mode mode);
std::optional<hub::Access> to_hub(std::optional<page::Access> access);
std::vector<hub::PromptContext> to_context(std::optional<std::vector<page::PromptContext>> context);

page::AttachmentLimits page_attachment_limits();
// Checks each with hub::check_attachment. The hub checks their number and total size.
Result<std::vector<hub::Attachment>> to_attachments(std::vector<page::AttachedFile> files);

}  // namespace parlance::face
