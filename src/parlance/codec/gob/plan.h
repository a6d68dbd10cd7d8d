// SPDX-License-Identifier: Apache-2.0
// How a value of one received type becomes a declared message: compiled once for (wire type, definitions), then followed
// field by field. A plan names sender ids only where it skips, so every stream with the same definitions can use it.
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
  TypeId id = 0;             // what the sender calls the type: to skip it, or to turn it into JSON
  std::uint32_t first = 0;   // structure: its first field's step; list, map, optional: the element's step
  std::uint32_t count = 0;   // structure: fields of the sender
  std::uint32_t memory = 0;  // list, map: bytes that one empty element takes
  const wire::Type* type = nullptr;
  const wire::Field* field = nullptr;  // null for elements and for the root
};

struct Plan {
  struct Key {
    const wire::Type* type = nullptr;
    TypeId id = 0;
    std::vector<std::pair<TypeId, const Definition*>> read{};  // in the order in which the compiler met them
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  Key key{};
  std::vector<Step> steps{};  // the first is the root
  std::string refusal{};      // not empty: the types do not fit, in Go's words
  std::uint32_t users = 0;
};

// What Go would call our type: "int", "[]Message", "map[string]interface {}".
std::string go_name(const wire::Type& type);
const wire::Type& without_optional(const wire::Type& type);
bool is_byte_list(const wire::Type& type);  // a list of 8-bit unsigned integers is bytes on the wire, as []uint8 is in Go

}  // namespace parlance::gob
