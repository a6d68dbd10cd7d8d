// SPDX-License-Identifier: Apache-2.0
// The value of a cell, and the value of a parameter. Plain values; a Cell's view lives until the next step of its statement.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace parlance::sqlite {

enum class Kind : std::uint8_t { null, integer, real, text, blob };

struct Cell {
  Kind kind = Kind::null;
  bool cut = false;  // `bytes` is only the beginning of `size` bytes.
  union {
    std::int64_t integer = 0;
    double real;
    std::uint64_t size;  // Of a text or blob.
  };
  std::string_view bytes{};
};

struct Blob {
  std::string bytes{};
  friend bool operator==(const Blob&, const Blob&) = default;
};
using Value = std::variant<std::monostate, std::int64_t, double, std::string, Blob>;

// For ?, ?NNN in order, or for :name, @name, $name (with or without their first character).
struct Parameters {
  std::vector<Value> in_order{};
  std::vector<std::pair<std::string, Value>> by_name{};
  bool named = false;
  bool given = false;
};

}  // namespace parlance::sqlite
