// SPDX-License-Identifier: Apache-2.0
// Attachments of a page's prompt, and their limits for the page. Values; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/conversation/attachment.h"
#include "parlance/protocol/page/messages.h"

namespace parlance::face {

page::AttachmentLimits page_attachment_limits();

// Checks each with hub::check_attachment. The hub checks their number and total size.
Result<std::vector<hub::Attachment>> to_attachments(std::vector<page::AttachedFile> files);

}  // namespace parlance::face
