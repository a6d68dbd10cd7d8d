// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/vector/quantized_vector.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace parlance::memory {

QuantizedVector quantize(std::span<const float> vector) {
  constexpr float most = 127;  // not -128: rows are symmetric
  QuantizedVector out{.bytes = std::vector<std::int8_t>(vector.size()), .scale = 0};
  float highest = 0;
  for (const float component : vector) {
    if (!std::isfinite(component)) return out;
    highest = std::max(highest, std::abs(component));
  }
  const float scale = highest / most;
  if (scale < std::numeric_limits<float>::min()) return out;
  for (std::size_t i = 0; i < vector.size(); ++i) {
    out.bytes[i] = static_cast<std::int8_t>(std::clamp(std::lrint(vector[i] / scale), -127L, 127L));
  }
  out.scale = scale;
  return out;
}

}  // namespace parlance::memory
