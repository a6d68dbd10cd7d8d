// SPDX-License-Identifier: Apache-2.0
// What Claude Code counts, as usage of one turn: it tells costs and models of its process so far. A value; loop thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "parlance/codec/json/value.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/protocol/claude/messages.h"

namespace parlance::driver {

class ClaudeUsage {
 public:
  void process_begins();                      // it counts from nothing again
  void answered(const json::Value& message);  // one answer of the model, not of a sub-agent: what its window holds now
  // Of the turn that ended; nothing when nothing was told.
  std::optional<hub::event::Usage> of(const claude::TurnResult& result);

 private:
  std::vector<hub::ModelUsage> models_of(const json::Value& told);

  double cost_ = 0;
  std::map<std::string, hub::ModelUsage, std::less<>> told_;
  std::uint64_t window_ = 0;
  std::uint64_t in_window_ = 0;
  std::string model_;
};

}  // namespace parlance::driver
