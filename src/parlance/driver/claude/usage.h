// SPDX-License-Identifier: Apache-2.0
// Converts Claude Code's counters into usage of a turn: Claude Code reports costs and models cumulatively for its process. A
// value; loop thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "parlance/codec/json/value.h"
#include "parlance/hub/conversation/usage.h"
#include "parlance/protocol/claude/messages.h"

namespace parlance::driver {

class ClaudeUsage {
 public:
  void process_begins();                      // the counters restart at zero
  void answered(const json::Value& message);  // an answer of the main model: its tokens fill the window
  // Usage of the ended turn; no value without a report.
  std::optional<hub::event::Usage> of(const claude::TurnResult& result);

 private:
  std::vector<hub::ModelUsage> models_of(const json::Value& usage);

  double cost_ = 0;
  std::map<std::string, hub::ModelUsage, std::less<>> reported_;
  std::uint64_t window_ = 0;
  std::uint64_t in_window_ = 0;
  std::string model_;
};

}  // namespace parlance::driver
