// SPDX-License-Identifier: Apache-2.0
// A single question and its answer: connects, sends, receives, disconnects. Loop thread only.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/iflow/options.h"

namespace parlance::iflow {

// The whole text of the answer. Questions of the agent get empty answers; plans and tool calls are refused. Errors: of
// Client::connect, and of the turn.
Task<Result<std::string>> query(Loop& loop, std::string prompt, std::vector<std::string> files = {}, Options options = {});
// The same; `on_text` receives each piece of text on arrival.
Task<Result<void>> query_stream(Loop& loop, std::string prompt, std::function<void(std::string_view text)> on_text,
                                std::vector<std::string> files = {}, Options options = {});

}  // namespace parlance::iflow
