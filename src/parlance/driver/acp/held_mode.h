// SPDX-License-Identifier: Apache-2.0
// Keeps an agent in the mode that a person chose. The agent may lower the mode of its conversation (it begins to plan); a claim of a higher
// or unknown mode changes nothing here, is told to the person once a turn, and the agent is put back into the mode that it had.
// Loop thread only; link and settings outlive it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "parlance/driver/acp/link.h"
#include "parlance/hub/conversation/event.h"

namespace parlance::driver {

class HeldMode {
 public:
  HeldMode(AcpLink& link, const AcpAgentSettings& settings) : link_(link), settings_(settings) {}

  void turn_begins() { corrections_ = 0; }
  // The agent says that it works in `told` while the conversation is in `now`. Returns the mode of the conversation from here on, which is
  // `now` or a lower one.
  hub::Mode heard(std::string_view told, hub::Mode now);
  // The same for its options, after the link took them.
  hub::Mode heard_options(hub::Mode now);
  // What a person has to be told of the last claim; nothing: there is nothing new.
  std::optional<hub::event::Notice> take_notice() { return std::exchange(notice_, std::nullopt); }

  // For a session that has just begun: the agent may act without a question. Nothing: it asks.
  std::optional<hub::event::Notice> warning() const;
  // Errors: denied, where the conversation plans and nothing keeps the agent from acting.
  Result<void> check(hub::Mode mode) const;

 private:
  void correct(hub::Mode now, std::string_view claim, bool tell);

  AcpLink& link_;
  const AcpAgentSettings& settings_;
  int corrections_ = 0;  // in this turn
  std::optional<hub::event::Notice> notice_{};
};

}  // namespace parlance::driver
