// SPDX-License-Identifier: Apache-2.0
// What a text is found by in an index that knows whole entries alone: an array of short pieces. Of Chinese, Japanese and Korean each character and
// every two neighbours; of all else every three characters in a row, blanks and signs included, as SQLite's index has them, so that the beginnings of
// words, what stands within them, and short words with what stands around them are found. Letters count as memory::folded says: case, accents
// and width do not matter, in any locale of the server. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parlance::store {

// Of a memory's text, each once.
std::vector<std::string> grams_of_text(std::string_view text);

// What all texts have in which the phrase stands. Empty: it is too short to be looked for (fewer than three characters).
std::vector<std::string> grams_of_phrase(std::string_view phrase);

// … which begin so: one or two characters of a run of Chinese.
std::string gram_of_beginning(std::string_view begins);

}  // namespace parlance::store
