// SPDX-License-Identifier: Apache-2.0
// UTF-8: validates and cuts text from files, processes and Go strings, which may contain any bytes. Any thread; returned views refer
// to the argument.
#pragma once

#include <string>
#include <string_view>

namespace parlance {

bool is_valid_utf8(std::string_view text);

// Replaces every byte outside of a valid sequence by U+FFFD. Valid text stays unchanged.
std::string to_valid_utf8(std::string_view text);

// Appends a code point. Surrogates and values above U+10FFFF become U+FFFD.
void append_utf8(std::string& out, char32_t code_point);

// The longest prefix of at most `bytes` bytes that cuts no character.
std::string_view utf8_prefix(std::string_view text, std::size_t bytes);

// The first `characters` code points.
std::string_view utf8_characters(std::string_view text, std::size_t characters);

}  // namespace parlance
