// SPDX-License-Identifier: Apache-2.0
// The tables of memory.db.
#pragma once

#include <cstdint>

#include "parlance/sqlite/database.h"

namespace parlance::store {

// Slots of vectors: the embedder's number in the high bits, the memory's below, so the vectors of one embedder are adjacent.
inline constexpr int memory_number_bits = 40;
inline constexpr std::int64_t memory_number_mask = (std::int64_t{1} << memory_number_bits) - 1;

sqlite::SchemaSteps memory_schema();

}  // namespace parlance::store
