// What a page sends with a prompt beside its words, and what it is told beforehand about how much and what that may be. Values; any
// thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "hub/attachment.h"
#include "protocol/page/messages.h"

namespace parlance::service {

page::AttachmentLimits page_attachment_limits();

// Of one, from whatever face. Errors: invalid_params, with the place of the fault.
Result<void> check_attachment(const std::string& place, std::string_view media_type, std::size_t bytes);
// The same, for all. Number and size of all together are the hub's to check.
Result<std::vector<hub::Attachment>> to_attachments(std::vector<page::AttachedFile> files);

}  // namespace parlance::service
