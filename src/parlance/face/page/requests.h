// SPDX-License-Identifier: Apache-2.0
// Attachments of a page as values of the hub, and results of commands as values of the page. Pure; any thread.
#pragma once

#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/conversation/attachment.h"
#include "parlance/protocol/page/messages.h"

namespace parlance::face {

page::PromptedValue value_of(hub::Prompted prompted);
page::ConversationValue value_of(const hub::Conversation& conversation);
page::AskValue value_of(const hub::Ask& ask);

page::AttachmentLimits page_attachment_limits();
// Checks each with hub::check_attachment. The hub checks their number and total size.
Result<std::vector<hub::Attachment>> to_attachments(std::vector<page::AttachedFile> files);

}  // namespace parlance::face
