// SPDX-License-Identifier: Apache-2.0
// A query beside int8 rows: what their products say of the cosine, and how far they may be wrong. Pure; any thread.
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

// Rounding a component to int8 errs evenly within half a scale, so the dot product with a vector of length 1 errs by scale / sqrt(12)
// (standard deviation). Both sides of a comparison get four of those, together nearly six: once in a hundred million.
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
    // Few components cannot err by more than half a scale each.
    const double scales = std::min(error_scales, std::sqrt(static_cast<double>(query.size())) / 2);
    head_start_ = scale_ > 0 ? static_cast<std::int32_t>(std::lround(scales / scale_)) : 0;
    error_ = scales * scale_;
  }

  bool empty() const { return !(scale_ > 0); }
  double norm() const { return norm_; }
  const std::int8_t* bytes() const { return bytes_.get(); }

  // Rows are put in order by what their cosine could at most be if the query were exact: (dot + head start) * scale of the row. One
  // multiplication, so that every processor rounds it alike.
  float key(std::int32_t dot, float scale) const { return static_cast<float>(dot + head_start_) * scale; }
  // No exact cosine of a row with this key is higher, and of one with this scale as well none is lower.
  double highest_cosine(float key) const { return double{key} * scale_ + error_; }
  double lowest_cosine(float key, float scale) const {
    return (double{key} - 2.0 * head_start_ * double{scale}) * scale_ - error_;
  }

 private:
  AlignedArray<std::int8_t> bytes_;
  double norm_ = 0;
  double scale_ = 0;  // of the query at length 1
  double error_ = 0;
  std::int32_t head_start_ = 0;
};

}  // namespace parlance::memory
