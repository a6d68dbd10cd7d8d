// What a page sends with a prompt beside its words, and what it is told beforehand about how much and what that may be. Values; any
// thread.
#pragma once

#include <vector>

#include "base/result.h"
#include "hub/attachment.h"
#include "protocol/page/messages.h"

namespace parlance::service {

page::AttachmentLimits page_attachment_limits();

// Errors: invalid_params, with the place of the fault. Number and size of all together are the hub's to check.
Result<std::vector<hub::Attachment>> to_attachments(std::vector<page::AttachedFile> files);

}  // namespace parlance::service
