// SPDX-License-Identifier: Apache-2.0
// Messages of a conversation from before its first prompt. Values; any thread.
#pragma once

#include <vector>

#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/conversation/event.h"

namespace parlance::hub {

// Messages from before the conversation's first prompt, made elsewhere: the log shows them like local messages.
struct ImportedHistory {
  std::vector<EventBody> events{};
  std::vector<Attachment> attachments{};  // referenced by the events, with their ids
};

}  // namespace parlance::hub
