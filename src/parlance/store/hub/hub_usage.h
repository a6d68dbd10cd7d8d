// SPDX-License-Identifier: Apache-2.0
// Use of models with titles of conversations: read from a hub's file, also during a run of the hub. Blocking; any thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/log/packed.h"
#include "parlance/hub/policy/spending.h"

namespace parlance::store {

struct Usage {
  std::vector<hub::SpentOn> spent{};  // by day and conversation, oldest day first
  hub::SpendingLimits limits{};
  std::map<std::string, std::string, std::less<>> titles{};  // of existing conversations, by id
};

// By id; unpacks each conversation.
std::map<std::string, std::string, std::less<>> titles_of(const std::vector<hub::PackedConversation>& conversations);

// `since`: a day; "": all. Read-only; a missing file gives an empty result.
Result<Usage> read_usage(const std::string& state_folder, const std::string& since);

}  // namespace parlance::store
