// SPDX-License-Identifier: Apache-2.0
// The order of modes by what they free from a question. An agent, a runner or a host may lower the mode of a conversation; a person alone
// raises it. Pure; any thread.
#pragma once

#include "parlance/hub/conversation/conversation.h"

namespace parlance::hub {

// True where `to` frees something that `from` does not: plan < default < autoEdit, smart < yolo. autoEdit and smart free different things,
// so a change between the two is a raise in both directions.
constexpr bool is_raised(Mode from, Mode to) {
  const auto rank = [](Mode mode) {
    switch (mode) {
      case Mode::plan: return 0;
      case Mode::default_: return 1;
      case Mode::auto_edit:
      case Mode::smart: return 2;
      case Mode::yolo: break;
    }
    return 3;
  };
  return from != to && rank(to) >= rank(from);
}

}  // namespace parlance::hub
