// SPDX-License-Identifier: Apache-2.0
// The JSON of spending sums and limits. Any thread.
#pragma once

#include "parlance/hub/policy/spending.h"
#include "parlance/wire_form/event_tables.h"

namespace parlance::wire {

template <>
struct Describe<hub::Spent> {
  using S = hub::Spent;
  static constexpr auto wire =
      fields(field<&S::turns>("turns", "Number of turns that an agent ended."),
             field<&S::unreported_turns>("untold_turns", "Number of turns without reported use."),
             field<&S::input_tokens>("input_tokens", "Number of input tokens, cached tokens included."),
             field<&S::output_tokens>("output_tokens", "Number of output tokens."),
             field<&S::cache_read_tokens>("cache_read_tokens", "Number of input tokens read from a cache, as far as reported."),
             field<&S::costs>("costs", "Reported costs, one entry for each currency. Currencies are not converted."));
};
template <>
struct Describe<hub::SpentOn> {
  using S = hub::SpentOn;
  static constexpr auto wire =
      fields(field<&S::day>("day", "Day at the place of the gateway, such as 2026-03-09."),
             field<&S::conversation>("conversation", "Id of the conversation. The conversation may be deleted."),
             field<&S::spent>("spent", "Sums of the day and conversation."));
};
template <>
struct Describe<hub::SpendingLimits> {
  using L = hub::SpendingLimits;
  static constexpr auto wire =
      fields(field<&L::day_tokens>("day_tokens", "Limit of input and output tokens of all models in a day. Absent: no limit."),
             field<&L::day_cost>("day_cost", "Limit of costs in a day. Only costs in this currency count."),
             field<&L::conversation_tokens>("conversation_tokens",
                                            "Limit of tokens for a conversation since its start. Absent: no limit."),
             field<&L::conversation_cost>(
                 "conversation_cost", "Limit of costs for a conversation since its start. Only costs in this currency count."));
};

}  // namespace parlance::wire
