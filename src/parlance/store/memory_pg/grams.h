// SPDX-License-Identifier: Apache-2.0
// Splits a text into an array of short pieces for an index of whole entries. Chinese, Japanese and Korean: each character and
// each pair. Other text: every three characters in a row, blanks and signs included, like SQLite's index. Such pieces find the
// beginnings of words, parts of words, and short words with their neighbours. Letters are folded by memory::folded: case, accents
// and width do not matter in any locale of the server. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parlance::store {

// Of a memory's text, without duplicates.
std::vector<std::string> grams_of_text(std::string_view text);

// The grams of every text with the phrase. Empty: below three characters, too short for a lookup.
std::vector<std::string> grams_of_phrase(std::string_view phrase);

// … with this prefix: one or two characters of Chinese.
std::string gram_of_beginning(std::string_view begins);

}  // namespace parlance::store
