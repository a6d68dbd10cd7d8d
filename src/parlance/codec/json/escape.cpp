// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/json/escape.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace parlance::json {
namespace {

// The character after the backslash for characters with a short form, else 0.
constexpr auto short_forms = [] {
  std::array<char, 256> forms{};
  forms['"'] = '"';
  forms['\\'] = '\\';
  forms['\n'] = 'n';
  forms['\r'] = 'r';
  forms['\t'] = 't';
  forms['\b'] = 'b';
  forms['\f'] = 'f';
  return forms;
}();

char* put_escape(char* at, unsigned char c) {
  static constexpr char digits[] = "0123456789abcdef";
  *at++ = '\\';
  if (const char form = short_forms[c]; form != 0) {
    *at++ = form;
    return at;
  }
  std::memcpy(at, "u00", 3);
  at[3] = digits[c >> 4];
  at[4] = digits[c & 15];
  return at + 5;
}

#if defined(__SSE2__)

constexpr std::ptrdiff_t block = 16;

__m128i load(const char* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); }
void store(char* at, __m128i bytes) { _mm_storeu_si128(reinterpret_cast<__m128i*>(at), bytes); }

// One bit for each byte that needs an escape.
unsigned stops_of(__m128i bytes, Accept accept) {
  const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
  const __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
  const __m128i backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
  auto stops = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, backslash), control)));
  if (accept == Accept::ascii) stops |= static_cast<unsigned>(_mm_movemask_epi8(bytes));
  return stops;
}

// The last bytes of a text, fewer than a block, without a read beyond the end. Two overlapping reads of known size, joined in
// registers: storing in pieces and loading whole would stall the processor.
__m128i load_last(const char* from, std::size_t count) {
  const auto read = [from]<class T>(std::size_t place, T word) {
    std::memcpy(&word, from + place, sizeof word);
    return std::uint64_t{word};
  };
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  if (count > 8) {
    low = read(0, std::uint64_t{});
    high = read(count - 8, std::uint64_t{}) >> (8 * (16 - count));
  } else if (count >= 4) {
    low = read(0, std::uint32_t{}) | read(count - 4, std::uint32_t{}) << (8 * (count - 4));
  } else {
    low = read(0, std::uint8_t{}) | read(count / 2, std::uint8_t{}) << (8 * (count / 2)) |
          read(count - 1, std::uint8_t{}) << (8 * (count - 1));
  }
  return _mm_set_epi64x(static_cast<std::int64_t>(high), static_cast<std::int64_t>(low));
}

// Copies whole blocks while a further block follows. After each short form, copies the rest of the block again, one byte later.
// The copy costs a load and two stores; a new search for the next stop would cost the whole comparison. Stops before a byte
// without a short form.
char* put_blocks(char* at, const char*& from, const char* end, Accept accept) {
  while (end - from >= 2 * block) {
    const __m128i bytes = load(from);
    store(at, bytes);
    for (unsigned stops = stops_of(bytes, accept); stops != 0; stops &= stops - 1) {
      const int place = std::countr_zero(stops);
      const char form = short_forms[static_cast<unsigned char>(from[place])];
      if (form == 0) {
        from += place;
        return at + place;
      }
      store(at + place + 1, load(from + place));
      at[place] = '\\';
      at[place + 1] = form;
      ++at;
    }
    at += block;
    from += block;
  }
  return at;
}

#endif

}  // namespace

char* put_escaped(char* at, const char*& from, const char* end, Accept accept) {
#if defined(__SSE2__)
  while (from != end) {
    at = put_blocks(at, from, end, accept);
    const std::ptrdiff_t left = end - from;
    const std::ptrdiff_t length = left < block ? left : block;
    const __m128i bytes = left < block ? load_last(from, static_cast<std::size_t>(left)) : load(from);
    store(at, bytes);
    const unsigned stops = stops_of(bytes, accept) & ((1U << length) - 1U);
    const std::ptrdiff_t before = stops == 0 ? length : std::countr_zero(stops);
    at += before;
    from += before;
    if (stops == 0) continue;
    const auto c = static_cast<unsigned char>(*from);
    if (c >= 0x80) return at;
    at = put_escape(at, c);
    ++from;
  }
#else
  for (; from != end; ++from) {
    const auto c = static_cast<unsigned char>(*from);
    if (c >= 0x80 && accept == Accept::ascii) return at;
    if (c < 0x20 || c == '"' || c == '\\') at = put_escape(at, c);
    else *at++ = static_cast<char>(c);
  }
#endif
  return at;
}

}  // namespace parlance::json
