// SPDX-License-Identifier: Apache-2.0
// The inner loop of vector search: dot products of int8 rows, as fast as this processor can, and the same numbers on every
// processor. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace parlance::memory {

// Rows are this long, or a multiple of it, with zeros behind the last component, and begin at such an address: one register of
// AVX-512, one cache line.
inline constexpr std::size_t vector_register_bytes = 64;
// 128 x 255 x this still fits into 32 bits, which the sums are kept in.
inline constexpr std::size_t vector_length_most = 65536;

struct ScanKernel {
  std::string_view name;
  // out[i] is the dot product of `one` and the row at rows + i * length. Exact; any int8 values.
  void (*dots)(const std::int8_t* one, const std::int8_t* rows, std::size_t length, std::size_t count, std::int32_t* out);
};

// Those that this processor can run, the fastest first; the last is plain C++ and always there.
std::span<const ScanKernel> scan_kernels();

}  // namespace parlance::memory
