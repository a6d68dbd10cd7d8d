// SPDX-License-Identifier: Apache-2.0
// Limits of codec/schema, each with name, unit and reason. Values.
#pragma once

#include <cstddef>

namespace parlance::limits {

// Schemas come from hosts, values from models, and both may be expensive. A step is one schema applied to one value.
inline constexpr int schema_depth = 512;                // Nested schemas during validation.
inline constexpr std::size_t schema_steps = 2'000'000;  // Steps for a value: a second. Real values need some thousands.
// Reported faults of a value: a model corrects these and tries again.
inline constexpr std::size_t schema_faults = 5;
inline constexpr std::size_t schema_pattern_work = 50'000'000;  // Work of all expressions for a value: half a second.

}  // namespace parlance::limits
