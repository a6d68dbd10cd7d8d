// SPDX-License-Identifier: Apache-2.0
// A conversation of the hub as an agent over Go net/rpc gets it with each Chat. Loop thread only.
#pragma once

#include <vector>

#include "parlance/hub/agent.h"
#include "parlance/hub/limits.h"
#include "parlance/protocol/gorpc/messages.h"

namespace parlance::driver {

// The host's own system messages, as the options of the prompt want them; ChatArgs::bare as well.
void add_system(gorpc::ChatArgs& args, const hub::Conversation& conversation, const hub::PromptOptions& options);

bool has_attachments(const hub::ChatMessage& message);  // its own, or pictures of its results

// `attachments`: the agent takes them; otherwise it is told in words what came. The newest come first: what would be more than
// limits::prompt_attachment_bytes is told in words, too. Errors: the store failed.
Task<Result<void>> add_history(gorpc::ChatArgs& args, hub::Turn& turn, std::vector<hub::ChatMessage> history, bool attachments);

}  // namespace parlance::driver
