// SPDX-License-Identifier: Apache-2.0
// What was used of models, and the limits of it, in JSON. Any thread.
#pragma once

#include "parlance/hub/policy/spending.h"
#include "parlance/store/hub/event_tables.h"

namespace parlance::wire {

template <>
struct Describe<hub::Spent> {
  using S = hub::Spent;
  static constexpr auto wire =
      fields(field<&S::turns>("turns", "Turns that an agent ended."),
             field<&S::untold_turns>("untold_turns", "Of these, such as nobody said of what they used."),
             field<&S::input_tokens>("input_tokens", "Read by models, the cache's part too."),
             field<&S::output_tokens>("output_tokens", "Written by models."),
             field<&S::cache_read_tokens>("cache_read_tokens", "Of the input, taken from the cache, as far as it was told."),
             field<&S::costs>("costs", "As far as they were told, one for each currency; nothing is converted."));
};
template <>
struct Describe<hub::SpentOn> {
  using S = hub::SpentOn;
  static constexpr auto wire = fields(field<&S::day>("day", "2026-03-09, of the place where the host runs."),
                                      field<&S::conversation>("conversation", "Its id; it may be deleted by now."),
                                      field<&S::spent>("spent", "What was used."));
};
template <>
struct Describe<hub::SpendingLimits> {
  using L = hub::SpendingLimits;
  static constexpr auto wire =
      fields(field<&L::day_tokens>("day_tokens", "Read and written by all models in a day; absent: no limit."),
             field<&L::day_cost>("day_cost", "What they cost in a day, of this currency alone."),
             field<&L::conversation_tokens>("conversation_tokens", "Of one conversation, from its beginning."),
             field<&L::conversation_cost>("conversation_cost", "The same as money."));
};

}  // namespace parlance::wire
