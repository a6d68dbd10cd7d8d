// SPDX-License-Identifier: Apache-2.0
// One question, one answer: connects, sends, receives, disconnects. Loop thread only.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/iflow/options.h"

namespace parlance::iflow {

// All that was said. Questions of the agent are answered as if nobody were there, a plan is not approved. Errors: those of
// Client::connect, and that of the turn.
Task<Result<std::string>> query(Loop& loop, std::string prompt, std::vector<std::string> files = {}, Options options = {});
// The same, piece by piece as it is said.
Task<Result<void>> query_stream(Loop& loop, std::string prompt, std::function<void(std::string_view text)> on_text,
                                std::vector<std::string> files = {}, Options options = {});

}  // namespace parlance::iflow
