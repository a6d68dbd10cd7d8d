// SPDX-License-Identifier: Apache-2.0
// The request for a new conversation. Values; any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parlance/hub/conversation/mode.h"
#include "parlance/hub/team/user.h"

namespace parlance::hub {

struct ImportedHistory;  // hub/log/imported_history.h

struct NewConversation {
  std::string agent{};
  std::string folder{};                // absolute, existing: the caller checks, because the hub touches no files
  std::vector<std::string> folders{};  // SessionSetup::folders: same rule
  Mode mode = Mode::default_;
  std::string model{};  // empty: the agent's default
  bool think = false;
  std::string title{};                         // empty: from the first message
  std::optional<std::string> via{};            // SessionSetup::via
  std::optional<std::string> user{};           // SessionSetup::user
  std::optional<Access> access{};              // absent: private
  std::shared_ptr<ImportedHistory> history{};  // null: none
};

}  // namespace parlance::hub
