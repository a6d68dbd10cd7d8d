// SPDX-License-Identifier: Apache-2.0
// Pieces of texts for an index of hub texts. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace parlance::limits {

// Texts of one turn in the index: a long answer and its tools. A turn beyond has an index row without pieces, and each search
// reads its log.
inline constexpr std::size_t indexed_bytes = 256 << 10;
inline constexpr std::size_t searched_grams = 32;  // Pieces of the searched words: more do not exclude more texts.

}  // namespace parlance::limits

namespace parlance::store {

// Views into `text`, one for each character of UTF-8.
std::vector<std::string_view> characters_of(std::string_view text);

// Hashes of every three characters in a row, and of every two outside of ASCII, without duplicates. Case is ignored in ASCII. The
// hashes of a part of a text are hashes of the text. Empty for one character, and for two of ASCII.
std::vector<std::int32_t> search_grams(std::string_view text);

}  // namespace parlance::store
