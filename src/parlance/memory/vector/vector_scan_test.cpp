// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/vector/vector_scan.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/memory/vector/vector_rows.h"

namespace parlance::memory {
namespace {

std::vector<std::int64_t> sums(const std::int8_t* vector, const std::int8_t* rows, std::size_t length, std::size_t count) {
  std::vector<std::int64_t> out(count);
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t i = 0; i < length; ++i) out[row] += std::int64_t{vector[i]} * rows[row * length + i];
  }
  return out;
}

// The vectors contain all values that rounding can produce.
void expect_exact(const ScanKernel& kernel, const AlignedArray<std::int8_t>& aligned_array, const AlignedArray<std::int8_t>& rows,
                  std::size_t length, std::size_t count) {
  const std::vector<std::int64_t> expected = sums(aligned_array.get(), rows.get(), length, count);
  std::vector<std::int32_t> out(count + 1, -77);
  kernel.dots(aligned_array.get(), rows.get(), length, count, out.data());
  for (std::size_t row = 0; row < count; ++row) {
    ASSERT_EQ(out[row], expected[row]) << kernel.name << ", length " << length << ", row " << row << " of " << count;
  }
  EXPECT_EQ(out[count], -77) << kernel.name << " wrote behind the last sum";
}

TEST(VectorScan, EveryKernelGivesExactSums) {
  std::mt19937 random(7);
  for (const std::size_t length : {64U, 128U, 384U, 768U, 3072U}) {
    for (const std::size_t count : {0U, 1U, 2U, 3U, 4U, 5U, 7U, 8U, 31U}) {
      const auto one = aligned_array<std::int8_t>(length);
      const auto rows = aligned_array<std::int8_t>(length * std::max<std::size_t>(count, 1));
      for (std::size_t i = 0; i < length; ++i) one[i] = static_cast<std::int8_t>(random());
      for (std::size_t i = 0; i < length * count; ++i) rows[i] = static_cast<std::int8_t>(random());
      for (const ScanKernel& kernel : scan_kernels()) expect_exact(kernel, one, rows, length, count);
    }
  }
}

// Instructions that saturate, or that take one side as unsigned, show at the ends of the range.
TEST(VectorScan, EveryKernelIsExactAtTheEndsOfTheRange) {
  constexpr std::int8_t ends[]{-128, -127, -1, 0, 1, 127};
  for (const std::size_t length : {std::size_t{64}, vector_length_most}) {
    const auto one = aligned_array<std::int8_t>(length);
    const auto rows = aligned_array<std::int8_t>(length * 5);
    for (const std::int8_t a : ends) {
      for (const std::int8_t b : ends) {
        std::fill_n(one.get(), length, a);
        std::fill_n(rows.get(), length * 5, b);
        for (const ScanKernel& kernel : scan_kernels()) expect_exact(kernel, one, rows, length, 5);
      }
    }
  }
}

TEST(VectorScan, PlainCodeIsAlwaysThereAndNeverPreferred) {
  ASSERT_FALSE(scan_kernels().empty());
  EXPECT_EQ(scan_kernels().back().name, "portable");
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) EXPECT_GE(scan_kernels().size(), 2U);
  if (__builtin_cpu_supports("avx512vnni")) EXPECT_EQ(scan_kernels().front().name, "AVX-512 VNNI");
#endif
}

}  // namespace
}  // namespace parlance::memory
