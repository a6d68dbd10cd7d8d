// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/gob/definition.h"

#include <algorithm>
#include <array>
#include <limits>

namespace parlance::gob {
namespace {

constexpr std::array<std::string_view, 9> builtin_names{"",      "bool",   "int",     "uint",     "float",
                                                        "bytes", "string", "complex", "interface"};

// Calls field(number) for each field of a struct value that was sent; the numbers go up and stay below `count`.
template <class Visit>
bool read_struct(Cursor& cursor, unsigned count, Visit field) {
  std::uint64_t next = 0;  // field number + 1
  for (;;) {
    std::uint64_t delta = 0;
    if (!cursor.read_uint(delta)) return false;
    if (delta == 0) return true;
    if (delta > count - next) return cursor.fail("gob: bad data: field numbers out of bounds");
    next += delta;
    if (!field(static_cast<unsigned>(next - 1))) return false;
  }
}

bool read_id(Cursor& cursor, TypeId& out) {
  std::int64_t id = 0;
  if (!cursor.read_int(id)) return false;
  if (id < std::numeric_limits<TypeId>::min() || id > std::numeric_limits<TypeId>::max())
    return cursor.fail("gob: type id out of range");
  out = static_cast<TypeId>(id);
  return true;
}

enum WireType : unsigned {
  array_t,
  slice_t,
  struct_t,
  map_t,
  gob_encoder_t,
  binary_marshaler_t,
  text_marshaler_t,
  wire_type_fields
};

}  // namespace

std::string_view builtin_name(TypeId id) {
  return is_builtin(id) ? builtin_names[static_cast<std::size_t>(id)] : std::string_view{};
}

std::string_view name_of(Shape shape) {
  switch (shape) {
    case Shape::structure: return "struct";
    case Shape::slice: return "slice";
    case Shape::array: return "array";
    case Shape::map: return "map";
    case Shape::opaque: return "opaque";
  }
  return {};
}

bool Definition::parse(Cursor& cursor, const Limits& limits) {
  origin_ = cursor.offset();
  bool found = false;
  const bool whole = read_struct(cursor, wire_type_fields, [&](unsigned which) {
    if (found) return cursor.fail("gob: a type defined as two things at once");
    found = true;
    return parse_body(cursor, limits, which);
  });
  return whole && (found || cursor.fail("gob: a type definition without content"));
}

bool Definition::parse_body(Cursor& cursor, const Limits& limits, unsigned which) {
  constexpr std::array<unsigned, wire_type_fields> field_counts{3, 2, 2, 3, 1, 1, 1};
  switch (which) {
    case array_t: shape = Shape::array; break;
    case slice_t: shape = Shape::slice; break;
    case struct_t: shape = Shape::structure; break;
    case map_t: shape = Shape::map; break;
    default: shape = Shape::opaque; break;
  }
  return read_struct(cursor, field_counts[which], [&](unsigned field) {
    if (field == 0) return parse_common(cursor, limits);
    if (which == struct_t) return parse_fields(cursor, limits);
    if (which == map_t) return read_id(cursor, field == 1 ? key : element);
    if (field == 1) return read_id(cursor, element);
    std::int64_t count = 0;  // array_t, field 2: Len
    if (!cursor.read_int(count)) return false;
    if (count < 0) return cursor.fail("gob: array of negative length");
    length = static_cast<std::uint64_t>(count);
    return true;
  });
}

bool Definition::parse_common(Cursor& cursor, const Limits& limits) {
  return read_struct(cursor, 2, [&](unsigned field) {
    TypeId own = 0;  // CommonType.Id repeats the id in front of the definition, which is the one that counts.
    // The name of an unnamed Go struct is its whole declaration, which may be long and means nothing: kept only so far.
    return field == 0 ? parse_name(cursor, limits, name_at_, name_size_, true) : read_id(cursor, own);
  });
}

bool Definition::parse_fields(Cursor& cursor, const Limits& limits) {
  std::uint64_t count = 0;
  if (!cursor.read_uint(count)) return false;
  if (count > cursor.left()) return cursor.fail("gob: more fields than the definition has room for");
  if (count > limits.fields) return cursor.fail("gob: a type with too many fields");
  fields.clear();
  fields.reserve(static_cast<std::size_t>(count));
  for (std::uint64_t i = 0; i < count; ++i) {
    Field& added = fields.emplace_back();
    const bool whole = read_struct(cursor, 2, [&](unsigned field) {
      return field == 0 ? parse_name(cursor, limits, added.name_at, added.name_size, false) : read_id(cursor, added.type);
    });
    if (!whole) return false;
  }
  return true;
}

bool Definition::parse_name(Cursor& cursor, const Limits& limits, std::uint32_t& at, std::uint16_t& size, bool may_cut) {
  BytesView text;
  if (!cursor.read_bytes(text)) return false;
  const std::size_t most = std::min<std::size_t>(limits.name_bytes, std::numeric_limits<std::uint16_t>::max());
  if (text.size() > most && !may_cut) return cursor.fail("gob: name too long");
  const std::size_t after = cursor.offset() - origin_;
  if (after > std::numeric_limits<std::uint32_t>::max()) return cursor.fail("gob: type definition too long");
  at = static_cast<std::uint32_t>(after - text.size());
  size = static_cast<std::uint16_t>(std::min(text.size(), most));
  return true;
}

}  // namespace parlance::gob
