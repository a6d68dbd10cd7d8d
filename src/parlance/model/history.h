// SPDX-License-Identifier: Apache-2.0
// Histories come from many hosts, and the vendors' APIs refuse what is slightly out of shape: calls without results after an
// interruption, results without calls, results in messages of another role. Values; any thread.
#pragma once

#include <string>
#include <vector>

#include "parlance/model/model.h"

namespace parlance::model {

// The same conversation, such that: every tool call has an id of [A-Za-z0-9_-] that no other call has, and is followed at once by one tool message that
// holds exactly one result for each call, in the order of the calls (an interrupted call gets a failed result that says so);
// results that belong to no call have become user messages; no message is empty.
std::vector<Message> repaired(std::vector<Message> messages);

// Index of the first message after the last one that a person wrote: where the running tool loop begins.
std::size_t loop_start(const std::vector<Message>& messages);

}  // namespace parlance::model
