// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/vector/vector_scan.h"

#include <array>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace parlance::memory {
namespace {

void dots_portable(const std::int8_t* vector, const std::int8_t* rows, std::size_t length, std::size_t count, std::int32_t* out) {
  for (std::size_t row = 0; row < count; ++row, rows += length) {
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < length; ++i) sum += std::int32_t{vector[i]} * std::int32_t{rows[i]};
    out[row] = sum;
  }
}

#if defined(__x86_64__)
// No -m flags anywhere: only these functions are compiled for more than the required machine, and are called only after
// scan_kernels() has found support. Four rows at a time: their sums are independent, and are added together at the end.

// The sums over each of four registers, in their order.
__attribute__((target("avx2"))) inline __m128i sums_of(__m256i a, __m256i b, __m256i c, __m256i d) {
  const __m256i ab = _mm256_hadd_epi32(a, b);
  const __m256i cd = _mm256_hadd_epi32(c, d);
  const __m256i abcd = _mm256_hadd_epi32(ab, cd);
  return _mm_add_epi32(_mm256_castsi256_si128(abcd), _mm256_extracti128_si256(abcd, 1));
}

// Sixteen components of 16 bits each: their products in pairs are exact, unlike the products of vpmaddubsw for -128.
__attribute__((target("avx2"))) inline __m256i sixteen(const std::int8_t* at) {
  return _mm256_cvtepi8_epi16(_mm_load_si128(reinterpret_cast<const __m128i*>(at)));
}

__attribute__((target("avx2"))) void dots_avx2(const std::int8_t* vector, const std::int8_t* rows, std::size_t length,
                                               std::size_t count, std::int32_t* out) {
  std::size_t row = 0;
  for (; row + 4 <= count; row += 4, rows += 4 * length) {
    __m256i a = _mm256_setzero_si256(), b = a, c = a, d = a;
    for (std::size_t i = 0; i < length; i += 16) {
      const __m256i with = sixteen(vector + i);
      a = _mm256_add_epi32(a, _mm256_madd_epi16(with, sixteen(rows + i)));
      b = _mm256_add_epi32(b, _mm256_madd_epi16(with, sixteen(rows + length + i)));
      c = _mm256_add_epi32(c, _mm256_madd_epi16(with, sixteen(rows + 2 * length + i)));
      d = _mm256_add_epi32(d, _mm256_madd_epi16(with, sixteen(rows + 3 * length + i)));
    }
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + row), sums_of(a, b, c, d));
  }
  for (; row < count; ++row, rows += length) {
    __m256i a = _mm256_setzero_si256(), b = a;
    for (std::size_t i = 0; i < length; i += 32) {
      a = _mm256_add_epi32(a, _mm256_madd_epi16(sixteen(vector + i), sixteen(rows + i)));
      b = _mm256_add_epi32(b, _mm256_madd_epi16(sixteen(vector + i + 16), sixteen(rows + i + 16)));
    }
    const __m256i none = _mm256_setzero_si256();
    out[row] = _mm_cvtsi128_si32(sums_of(_mm256_add_epi32(a, b), none, none, none));
  }
}

#define PARLANCE_VNNI __attribute__((target("avx512f,avx512bw,avx512vnni")))

// VNNI multiplies unsigned by signed bytes, so rows are read with 128 added (their highest bit flipped). This makes every sum too
// large by 128 x the sum of `vector`.
PARLANCE_VNNI inline __m512i biased(const std::int8_t* at) {
  return _mm512_xor_si512(_mm512_load_si512(at), _mm512_set1_epi8(static_cast<char>(0x80)));
}

PARLANCE_VNNI void dots_vnni(const std::int8_t* vector, const std::int8_t* rows, std::size_t length, std::size_t count,
                             std::int32_t* out) {
  __m512i excess = _mm512_setzero_si512();
  for (std::size_t i = 0; i < length; i += 64) {
    excess = _mm512_dpbusd_epi32(excess, _mm512_set1_epi8(static_cast<char>(0x80)), _mm512_load_si512(vector + i));
  }
  std::size_t row = 0;
  for (; row + 4 <= count; row += 4, rows += 4 * length) {
    // Each sum starts at minus its excess, so that no subtraction remains.
    const __m512i start = _mm512_sub_epi32(_mm512_setzero_si512(), excess);
    __m512i a = start, b = start, c = start, d = start;
    for (std::size_t i = 0; i < length; i += 64) {
      const __m512i with = _mm512_load_si512(vector + i);
      a = _mm512_dpbusd_epi32(a, biased(rows + i), with);
      b = _mm512_dpbusd_epi32(b, biased(rows + length + i), with);
      c = _mm512_dpbusd_epi32(c, biased(rows + 2 * length + i), with);
      d = _mm512_dpbusd_epi32(d, biased(rows + 3 * length + i), with);
    }
    const __m512i ab = _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
    const __m512i cd = _mm512_add_epi32(_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
    const __m512i abcd = _mm512_add_epi32(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd));
    const __m256i half = _mm256_add_epi32(_mm512_castsi512_si256(abcd), _mm512_extracti64x4_epi64(abcd, 1));
    const __m128i sums = _mm_add_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + row), sums);
  }
  for (; row < count; ++row, rows += length) {
    __m512i a = _mm512_sub_epi32(_mm512_setzero_si512(), excess);
    for (std::size_t i = 0; i < length; i += 64) a = _mm512_dpbusd_epi32(a, biased(rows + i), _mm512_load_si512(vector + i));
    out[row] = _mm512_reduce_add_epi32(a);
  }
}
#endif

struct Kernels {
  std::array<ScanKernel, 3> all{};
  std::size_t count = 0;
};

Kernels find_kernels() {
  Kernels found;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vnni")) {
    found.all[found.count++] = {.name = "AVX-512 VNNI", .dots = dots_vnni};
  }
  if (__builtin_cpu_supports("avx2")) found.all[found.count++] = {.name = "AVX2", .dots = dots_avx2};
#endif
  found.all[found.count++] = {.name = "portable", .dots = dots_portable};
  return found;
}

}  // namespace

std::span<const ScanKernel> scan_kernels() {
  static const Kernels kernels = find_kernels();
  return std::span(kernels.all).first(kernels.count);
}

}  // namespace parlance::memory
