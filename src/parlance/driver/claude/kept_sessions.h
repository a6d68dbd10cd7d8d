// SPDX-License-Identifier: Apache-2.0
// Lists Claude Code's own sessions of a folder (PROJECTS/FOLDER/SESSION.jsonl in its configuration folder).
#pragma once

#include <string>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/async/worker.h"
#include "parlance/base/result.h"
#include "parlance/hub/agent/agent.h"

namespace parlance::driver {

// Any thread; blocking. Newest first, at most limits::kept_sessions; sessions without a message are omitted. Reads only the first
// limits::claude_session_head_bytes of each file: without a title in this part the first words are the title. A missing folder
// has no sessions.
std::vector<hub::KeptSession> claude_kept_sessions(const std::string& config_folder, const std::string& folder);
// The same on a worker thread; `files` must outlive the task.
Task<Result<std::vector<hub::KeptSession>>> claude_kept_sessions(Worker& files, std::string config_folder, std::string folder);

}  // namespace parlance::driver
