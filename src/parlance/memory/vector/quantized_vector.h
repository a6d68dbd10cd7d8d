// SPDX-License-Identifier: Apache-2.0
// Vectors in a quarter of their size, as the index scans them. Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace parlance::memory {

// One byte a component: component i is about bytes[i] * scale. All zeros, with scale 0, for a vector of zeros or one with a component
// that is no number.
struct QuantizedVector {
  std::vector<std::int8_t> bytes{};
  float scale = 0;
};
QuantizedVector quantize(std::span<const float> vector);

}  // namespace parlance::memory
