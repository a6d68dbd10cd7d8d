// SPDX-License-Identifier: Apache-2.0
// A query against int8 rows: bounds of the cosine from their products. Pure; any thread.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "parlance/memory/vector/quantized_vector.h"
#include "parlance/memory/vector/vector_rows.h"

namespace parlance::memory {

// Rounding a component to int8 has an even error within half a scale, so the dot product with a vector of length 1 has an error
// of scale / sqrt(12) (standard deviation). Both sides of a comparison get four of these, together nearly six: exceeded once in
// a hundred million.
inline constexpr double error_scales = 4 / 3.4641016151377544;

class QuantizedQuery {
 public:
  QuantizedQuery(std::span<const float> query, std::size_t length) : bytes_(aligned_array<std::int8_t>(length)) {
    double squares = 0;
    for (const float component : query) squares += double{component} * double{component};
    norm_ = std::sqrt(squares);
    if (!(norm_ > 0) || !std::isfinite(norm_)) return;
    const QuantizedVector quantized = quantize(query);
    std::memcpy(bytes_.get(), quantized.bytes.data(), quantized.bytes.size());
    std::memset(bytes_.get() + quantized.bytes.size(), 0, length - quantized.bytes.size());
    scale_ = quantized.scale / norm_;
    // With few components, the error is at most half a scale for each.
    const double scales = std::min(error_scales, std::sqrt(static_cast<double>(query.size())) / 2);
    head_start_ = scale_ > 0 ? static_cast<std::int32_t>(std::lround(scales / scale_)) : 0;
    error_ = scales * scale_;
  }

  bool empty() const { return !(scale_ > 0); }
  double norm() const { return norm_; }
  const std::int8_t* bytes() const { return bytes_.get(); }

  // The order of rows is their highest possible cosine for an exact query: (dot + head start) * scale of the row. A single
  // multiplication, so that every processor rounds it equally.
  float key(std::int32_t dot, float scale) const { return static_cast<float>(dot + head_start_) * scale; }
  // Upper bound of the cosine of a row with this key; with the row's scale, also the lower bound.
  double highest_cosine(float key) const { return double{key} * scale_ + error_; }
  double lowest_cosine(float key, float scale) const {
    return (double{key} - 2.0 * head_start_ * double{scale}) * scale_ - error_;
  }

 private:
  AlignedArray<std::int8_t> bytes_;
  double norm_ = 0;
  double scale_ = 0;  // Of the query at length 1.
  double error_ = 0;
  std::int32_t head_start_ = 0;
};

}  // namespace parlance::memory
