// SPDX-License-Identifier: Apache-2.0
// The history of a conversation in each Chat with an agent over Go net/rpc. Loop thread only.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "parlance/hub/agent/agent.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/protocol/gorpc/messages.h"

namespace parlance::driver {

// Adds the host's own system messages, as the options of the prompt require, and sets ChatArgs::bare.
void add_system(gorpc::ChatArgs& args, const hub::SessionSetup& setup, const hub::PromptOptions& options);

bool has_attachments(const hub::ChatMessage& message);  // of the message, or pictures in its results

// The words of the only message of a history. Empty: the history has other messages, or earlier ones were left out.
std::string_view only_prompt(std::span<const hub::ChatMessage> history);

// `attachments`: the agent accepts attachments; otherwise text describes each attachment. The newest attachments have priority:
// text replaces attachments beyond limits::prompt_attachment_bytes. Errors: the store failed.
Task<Result<void>> add_history(gorpc::ChatArgs& args, hub::Turn& turn, std::vector<hub::ChatMessage> history, bool attachments);

}  // namespace parlance::driver
