// SPDX-License-Identifier: Apache-2.0
// Vectors distributed like embedded texts, generated quickly and identically in every run: topics of about a hundred rows, a few
// dozen directions of decreasing weight, and some noise. `uniform` vectors have no structure: the worst case of any approximate
// index.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace parlance::bench {

class VectorData {
 public:
  VectorData(std::size_t dimension, std::size_t rows)
      : dimension_(dimension), topics_(rows / 100 + 1), directions_(directions * dimension) {
    for (float& component : directions_) component = normal();
  }

  void clustered(std::vector<float>& out) {
    const std::uint64_t topic = next() % topics_;
    out.assign(dimension_, 0.0F);
    for (std::size_t direction = 0; direction < directions; ++direction) {
      const float of_topic = normal_of((topic * directions + direction) * 0x9E3779B97F4A7C15U);
      const float weight = (of_topic + 0.6F * normal()) / std::sqrt(static_cast<float>(direction + 1));
      const float* const along = directions_.data() + direction * dimension_;
      for (std::size_t i = 0; i < dimension_; ++i) out[i] += weight * along[i];
    }
    for (float& component : out) component += 0.3F * normal();
    normalize(out);
  }

  void uniform(std::vector<float>& out) {
    out.resize(dimension_);
    for (float& component : out) component = normal();
    normalize(out);
  }

 private:
  static constexpr std::size_t directions = 48;

  static std::uint64_t mixed(std::uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9U;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBU;
    return bits ^ (bits >> 31);
  }
  std::uint64_t next() { return mixed(state_ += 0x9E3779B97F4A7C15U); }
  // Four 16-bit numbers added up are near enough to a normal distribution, of variance 1.
  static float normal_of(std::uint64_t seed) {
    const std::uint64_t bits = mixed(seed);
    const auto sum = static_cast<float>((bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48));
    return (sum - 131070.0F) * (1.7320508F / 65536.0F);
  }
  float normal() { return normal_of(state_ += 0x9E3779B97F4A7C15U); }

  static void normalize(std::vector<float>& vector) {
    float squares = 0;
    for (const float component : vector) squares += component * component;
    const float factor = 1 / std::sqrt(squares);
    for (float& component : vector) component *= factor;
  }

  std::size_t dimension_;
  std::size_t topics_;
  std::uint64_t state_ = 1;
  std::vector<float> directions_;
};

}  // namespace parlance::bench
