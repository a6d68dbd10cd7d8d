// SPDX-License-Identifier: Apache-2.0
// The option that refuses an ask where nobody chose one: no answer, an end of input, an answer that cannot be read. Values; any thread.
#pragma once

#include <algorithm>

#include "parlance/hub/conversation/ask.h"

namespace parlance::hub {

// reject_once, else reject_always, else reject_and_stop. Null: the ask offers no refusal. No other option may take its place.
inline const AskOption* refusing_option(const Ask& ask) {
  for (const OptionKind kind : {OptionKind::reject_once, OptionKind::reject_always, OptionKind::reject_and_stop})
    if (const auto found = std::ranges::find(ask.options, kind, &AskOption::kind); found != ask.options.end()) return &*found;
  return nullptr;
}

}  // namespace parlance::hub
