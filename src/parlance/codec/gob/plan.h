// SPDX-License-Identifier: Apache-2.0
// Reads a value of a received type into a declared message: compiled once for each (wire type, definitions), then followed field
// by field. A plan contains sender ids only for skipped values, so all streams with the same definitions share it.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "parlance/codec/gob/definition.h"
#include "parlance/wire/type.h"

namespace parlance::gob {

enum class Op : std::uint8_t {
  skip,
  boolean,
  from_int,
  from_uint,
  number,
  text,
  bytes,
  byte_list,
  enumeration,
  raw,
  structure,
  list,
  map,
  optional
};

struct Step {
  Op op = Op::skip;
  TypeId id = 0;             // The sender's id of the type, to skip the value or convert it to JSON.
  std::uint32_t first = 0;   // structure: step of its first field; list, map, optional: step of the element.
  std::uint32_t count = 0;   // structure: fields of the sender.
  std::uint32_t memory = 0;  // list, map: size of an empty element in bytes.
  const wire::Type* type = nullptr;
  const wire::Field* field = nullptr;  // Null for elements and for the root.
};

struct Plan {
  struct Key {
    const wire::Type* type = nullptr;
    TypeId id = 0;
    std::vector<std::pair<TypeId, const Definition*>> read{};  // In the order of the compiler's visits.
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  Key key{};
  std::vector<Step> steps{};  // The first step is the root.
  std::string refusal{};      // Not empty: the types are incompatible, in Go's words.
  std::uint32_t users = 0;
};

// Go's name of our type: "int", "[]Message", "map[string]interface {}".
std::string go_name(const wire::Type& type);
const wire::Type& without_optional(const wire::Type& type);
bool is_byte_list(const wire::Type& type);  // A list of 8-bit unsigned integers is bytes on the wire, as []uint8 in Go.

}  // namespace parlance::gob
