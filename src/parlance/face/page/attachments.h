// SPDX-License-Identifier: Apache-2.0
// What a page sends with a prompt beside its words, and what it is told beforehand about how much and what that may be. Values; any
// thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/conversation/attachment.h"
#include "parlance/protocol/page/messages.h"

namespace parlance::face {

page::AttachmentLimits page_attachment_limits();

// Each as hub::check_attachment wants it. Number and size of all together are the hub's to check.
Result<std::vector<hub::Attachment>> to_attachments(std::vector<page::AttachedFile> files);

}  // namespace parlance::face
