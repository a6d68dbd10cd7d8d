// SPDX-License-Identifier: Apache-2.0
// Unicode for memory: boundaries and kinds of characters, and equal characters for a search (case, accents, width, traditional
// Chinese). Accepts any bytes; a byte outside of UTF-8 is a separator. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace parlance::memory {

enum class Script : std::uint8_t { separator, mark, digit, letter, han, hiragana, katakana, hangul };

// Reads the character at `at` and moves on. Bytes outside of UTF-8 are read as U+FFFD, each separately.
char32_t next_character(std::string_view text, std::size_t& at);

// `mark`: has neither a meaning nor a separating effect (a combining accent, a joiner).
Script script_of(char32_t character);

// Appends the folded form of `character`: é as e, Ⅱ and emoji unchanged, Ａ as a, ß as ss, 資 as 资, й as и.
void append_folded(std::string& out, char32_t character);
std::string folded(std::string_view text);

inline bool is_ideographic(Script script) { return script >= Script::han; }

}  // namespace parlance::memory
