// SPDX-License-Identifier: Apache-2.0
// Finds the end of plain text: the first quote, backslash or control character. The reader and writer of JSON spend most of
// their time here, so it compares 16 bytes at once on x86-64, else 8. Any thread.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace parlance::json {

inline const char* find_special(const char* at, const char* end) {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i last_control = _mm_set1_epi8(0x1f);
  const auto special_among = [&](const char* from) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, last_control), bytes);
    const __m128i special = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)), control);
    return static_cast<unsigned>(_mm_movemask_epi8(special));
  };
  const char* const begin = at;
  for (; end - at >= 16; at += 16)
    if (const unsigned found = special_among(at); found != 0) return at + std::countr_zero(found);
  if (at != begin) {  // The rest, together with examined bytes without special characters.
    const unsigned found = special_among(end - 16);
    return found != 0 ? end - 16 + std::countr_zero(found) : end;
  }
#endif
  if constexpr (std::endian::native == std::endian::little) {
    constexpr std::uint64_t ones = 0x0101010101010101ULL;
    constexpr std::uint64_t highs = 0x8080808080808080ULL;
    const auto zero_byte = [](std::uint64_t v) { return (v - ones) & ~v & highs; };
    for (; end - at >= 8; at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, at, 8);
      // A borrow may mark bytes after the first special byte, never one before it.
      const std::uint64_t found =
          zero_byte(word ^ ones * '"') | zero_byte(word ^ ones * '\\') | ((word - ones * 0x20) & ~word & highs);
      if (found != 0) return at + std::countr_zero(found) / 8;
    }
  }
  while (at != end && *at != '"' && *at != '\\' && static_cast<unsigned char>(*at) >= 0x20) ++at;
  return at;
}

}  // namespace parlance::json
