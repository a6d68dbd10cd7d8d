// SPDX-License-Identifier: Apache-2.0
// Repairs histories: histories come from many hosts, and the vendors' APIs reject small defects. Examples are calls without
// results after an interruption, results without calls, and results in messages of another role. Values; any thread.
#pragma once

#include <string>
#include <vector>

#include "parlance/model/model.h"

namespace parlance::model {

// The same conversation with these properties. Every tool call has a unique id of [A-Za-z0-9_-]. One tool message follows at
// once, with exactly one result for each call, in order (an interrupted call gets a failed result that says so). Results without
// a call become user messages. No message is empty.
std::vector<Message> repaired(std::vector<Message> messages);

// Index of the first message after the last message of a person: the begin of the running tool loop.
std::size_t loop_start(const std::vector<Message>& messages);

}  // namespace parlance::model
