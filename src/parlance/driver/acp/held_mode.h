// SPDX-License-Identifier: Apache-2.0
// Keeps an agent in the mode chosen by a person. The agent may lower the mode of its conversation (begin to plan). A claim of a
// higher or unknown mode has no effect on the conversation: the driver notifies the person once a turn, and resets the agent's
// mode. Loop thread only; link and settings must outlive the object.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "parlance/driver/acp/link.h"
#include "parlance/hub/conversation/notice.h"

namespace parlance::driver {

class HeldMode {
 public:
  HeldMode(AcpLink& link, const AcpAgentSettings& settings) : link_(link), settings_(settings) {}

  void turn_begins() { corrections_ = 0; }
  // The agent reports mode `reported` while the conversation has mode `now`. Returns the conversation's new mode: `now` or a lower
  // mode.
  hub::Mode take(std::string_view reported, hub::Mode now);
  // The same for its options, after the link's update.
  hub::Mode take_options(hub::Mode now);
  // The notice for the person about the last claim; no value: already shown.
  std::optional<hub::event::Notice> take_notice() { return std::exchange(notice_, std::nullopt); }

  // A warning for a new session: the agent may act without a request. No value: the agent asks.
  std::optional<hub::event::Notice> warning() const;
  // Errors: denied, if the conversation plans and the agent has no restricting mode.
  Result<void> check(hub::Mode mode) const;

 private:
  void correct(hub::Mode now, std::string_view claim, bool notify);

  AcpLink& link_;
  const AcpAgentSettings& settings_;
  int corrections_ = 0;  // number in this turn
  std::optional<hub::event::Notice> notice_{};
};

}  // namespace parlance::driver
