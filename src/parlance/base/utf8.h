// SPDX-License-Identifier: Apache-2.0
// UTF-8: checking what comes from files, processes and Go strings (which carry any bytes) before it becomes text.
#pragma once

#include <string>
#include <string_view>

namespace parlance {

bool is_valid_utf8(std::string_view text);

// Every byte that is not part of a valid sequence becomes U+FFFD; valid text comes back unchanged.
std::string to_valid_utf8(std::string_view text);

// Appends a code point (surrogates and values above U+10FFFF become U+FFFD).
void append_utf8(std::string& out, char32_t code_point);

// The longest prefix of at most `bytes` that does not cut a character.
std::string_view utf8_prefix(std::string_view text, std::size_t bytes);

// The first so many characters (code points).
std::string_view utf8_characters(std::string_view text, std::size_t characters);

}  // namespace parlance
