// SPDX-License-Identifier: Apache-2.0
// Numbers, words and paths in text, for all folders. Any thread; returned views refer to the argument.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parlance {

// The whole text as a number, without a sign `+` and without blanks. No value: another text, or out of range.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::string_view> split(std::string_view text, char separator);  // At least one part; parts may be empty.
std::string_view trim(std::string_view text);
bool equal_ignoring_case(std::string_view a, std::string_view b);  // ASCII
std::string to_lower(std::string_view text);                       // ASCII

// Whether the path is the folder or below the folder. Both are absolute and without "..". Compares text only: resolve links first.
bool is_within(std::string_view path, std::string_view folder);
// The text as one word for a POSIX shell, quoted if necessary.
std::string shell_word(std::string_view word);

// The hash of unordered maps of std::string that a std::string_view can search without a copy.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

}  // namespace parlance
