// SPDX-License-Identifier: Apache-2.0
// The content of a prompt for Claude Code. Loop thread only.
#pragma once

#include <string>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/protocol/claude/messages.h"

namespace parlance::driver {

// The text and the attachments as content blocks. Claude Code and the person get a sentence for an attachment without a block.
Task<Result<wire::Raw>> prompt_content(hub::Turn& turn, std::string text, std::vector<hub::AttachmentInfo> attached);

}  // namespace parlance::driver
