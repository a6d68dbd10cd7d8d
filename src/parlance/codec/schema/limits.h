// SPDX-License-Identifier: Apache-2.0
// The limits of codec/schema: the name, the unit and the reason for the number. Values.
#pragma once

#include <cstddef>

namespace parlance::limits {

// Schemas come from hosts, values from models: both may be made to cost much. A step is one schema looked at for one value.
inline constexpr int schema_depth = 512;                        // Schemas within each other while a value is looked at.
inline constexpr std::size_t schema_steps = 2'000'000;          // Of one value: a second; real ones need some thousands.
inline constexpr std::size_t schema_faults = 5;                 // Told of one value: a model mends these, and asks again.
inline constexpr std::size_t schema_pattern_work = 50'000'000;  // For all texts of one value: half a second.

}  // namespace parlance::limits
