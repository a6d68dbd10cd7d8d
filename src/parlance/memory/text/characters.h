// SPDX-License-Identifier: Apache-2.0
// What memory needs to know about Unicode: where a character ends, what kind it is, and which characters a person takes for the
// same when searching (case, accents, width, traditional Chinese). Any bytes are taken; a byte that is no UTF-8 is a separator.
// Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace parlance::memory {

enum class Script : std::uint8_t { separator, mark, digit, letter, han, hiragana, katakana, hangul };

// Reads the character at `at` and steps behind it. What is not UTF-8 is read as U+FFFD, one byte at a time.
char32_t next_character(std::string_view text, std::size_t& at);

// `mark`: says nothing and separates nothing (a combining accent, a joiner).
Script script_of(char32_t character);

// Appends what `character` counts as: é as e, Ⅱ and emoji as they are, Ａ as a, ß as ss, 資 as 资, й as и.
void append_folded(std::string& out, char32_t character);
std::string folded(std::string_view text);

inline bool is_ideographic(Script script) { return script >= Script::han; }

}  // namespace parlance::memory
