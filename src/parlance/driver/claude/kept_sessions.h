// SPDX-License-Identifier: Apache-2.0
// The sessions that Claude Code keeps of a folder (PROJECTS/FOLDER/SESSION.jsonl in its configuration folder), as a list shows them.
#pragma once

#include <string>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/async/worker.h"
#include "parlance/base/result.h"
#include "parlance/hub/agent.h"

namespace parlance::driver {

// Any thread; blocking. Newest first, at most limits::kept_sessions; those in which nobody said anything are left out. Of each file only the first
// limits::claude_session_head_bytes are read: a title that stands later is not seen, the first words are the title then. A folder without
// sessions has none.
std::vector<hub::KeptSession> claude_kept_sessions(const std::string& config_folder, const std::string& folder);
// The same, on a thread of its own, which outlives the task.
Task<Result<std::vector<hub::KeptSession>>> claude_kept_sessions(Worker& files, std::string config_folder, std::string folder);

}  // namespace parlance::driver
