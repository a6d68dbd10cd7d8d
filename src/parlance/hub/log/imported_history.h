// SPDX-License-Identifier: Apache-2.0
// Messages that a conversation imports at its creation, such as the request of an HTTP client. Values; any thread.
#pragma once

#include <vector>

#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/conversation/event.h"

namespace parlance::hub {

// Messages from before the conversation's first prompt. The log has them as ordinary events.
struct ImportedHistory {
  std::vector<EventBody> events{};
  std::vector<Attachment> attachments{};  // referenced by the events, with their ids
};

}  // namespace parlance::hub
