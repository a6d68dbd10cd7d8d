// SPDX-License-Identifier: Apache-2.0
// Small things with text that several folders need.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parlance {

template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::string_view> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);
bool equal_ignoring_case(std::string_view a, std::string_view b);  // ASCII
std::string to_lower(std::string_view text);                       // ASCII

// The folder itself, or what lies below it. Both are absolute and without "..".
bool is_within(std::string_view path, std::string_view folder);
// One word of a command line of a shell, whatever is in it.
std::string shell_word(std::string_view word);

// The hash with which unordered maps of std::string can be asked with a view, without a copy.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

}  // namespace parlance
