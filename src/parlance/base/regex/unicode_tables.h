// SPDX-License-Identifier: Apache-2.0
// Properties of Unicode's characters for \p{…}, as printed tables. Constants; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace parlance::regex {

enum class UnicodeKind : std::uint8_t { category, script, property };

struct UnicodeTable {
  std::string_view name;
  UnicodeKind kind;
  std::uint32_t first;  // index into unicode_numbers()
  std::uint32_t pairs;
};

std::span<const UnicodeTable> unicode_tables();
// Pairs, each for a range: distance from the end of the range before, length less one.
std::span<const std::uint32_t> unicode_numbers();

}  // namespace parlance::regex
