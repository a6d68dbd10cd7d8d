// SPDX-License-Identifier: Apache-2.0
// What models used, with the names of the conversations: from a hub's file, also while a hub works with it. Blocking; any thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/policy/spending.h"

namespace parlance::store {

struct Usage {
  std::vector<hub::SpentOn> spent{};  // by day and conversation, the oldest day first
  hub::SpendingLimits limits{};
  std::map<std::string, std::string, std::less<>> titles{};  // of the conversations that are there, by id
};

std::map<std::string, std::string, std::less<>> titles_of(const std::vector<hub::Conversation>& conversations);

// `since`: a day; "": from the beginning. Nothing is written; where there is no file nothing was used.
Result<Usage> read_usage(const std::string& state_folder, const std::string& since);

}  // namespace parlance::store
