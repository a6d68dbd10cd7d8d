// SPDX-License-Identifier: Apache-2.0
// The part of a conversation that fits into the context of its model. The size of a context is unknown, so a refusal halves the
// part, and later requests keep it. Values; loop thread only.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "parlance/base/error.h"
#include "parlance/hub/agent/history.h"

namespace parlance::driver {

class HistoryWindow {
 public:
  // Leaves out the oldest turns beyond the learned size. The newest prompt and its turn always stay. Another model has no learned size.
  void fit(std::vector<hub::ChatMessage>& history, const std::string& model);
  bool is_limited(const std::string& model) const;  // a size is learned
  // After a failed request: true if the request was too long and the next `fit` leaves out more.
  bool shrink(const Error& error);

 private:
  std::string model_;
  std::size_t most_bytes_ = std::numeric_limits<std::size_t>::max();
  std::size_t sent_bytes_ = 0;
  bool sent_several_turns_ = false;
};

}  // namespace parlance::driver
