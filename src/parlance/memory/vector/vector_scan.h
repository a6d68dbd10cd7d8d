// SPDX-License-Identifier: Apache-2.0
// The inner loop of vector search: dot products of int8 rows, with equal results on every processor. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace parlance::memory {

// The length and the address of a row are multiples of this: a register of AVX-512, a cache line. Zeros follow the last component.
inline constexpr std::size_t vector_register_bytes = 64;
// 128 x 255 x this fits into 32 bits, the type of the sums.
inline constexpr std::size_t vector_length_most = 65536;

struct ScanKernel {
  std::string_view name;
  // out[i] is the dot product of `vector` and the row at rows + i * length. Exact; any int8 values.
  void (*dots)(const std::int8_t* vector, const std::int8_t* rows, std::size_t length, std::size_t count, std::int32_t* out);
};

// Implementations for this processor, fastest first; the last is plain C++ and always present.
std::span<const ScanKernel> scan_kernels();

}  // namespace parlance::memory
