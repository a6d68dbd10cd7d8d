// SPDX-License-Identifier: Apache-2.0
// A type in the definition of its sender: the content of a `wireType` value. Ids inside belong to the sender's stream.
// Definitions are immutable, and streams with the same bytes share one (type_pool.h). Any thread after creation.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/codec/gob/limits.h"
#include "parlance/codec/gob/numbers.h"

namespace parlance::gob {

// Limits of a receiver, each checked before memory is allocated.
struct Limits {
  std::size_t message_bytes = limits::gob_message_bytes;
  int depth = limits::gob_depth;
  std::size_t types = limits::gob_types;
  std::size_t fields = limits::gob_fields;
  std::size_t name_bytes = limits::gob_name_bytes;
  std::size_t definition_bytes = limits::gob_definition_bytes;
  std::size_t value_bytes = limits::gob_value_bytes;
};

using TypeId = std::int32_t;
inline constexpr TypeId id_bool = 1, id_int = 2, id_uint = 3, id_float = 4, id_bytes = 5, id_string = 6, id_complex = 7,
                        id_interface = 8;
inline constexpr TypeId first_own_id = 64;  // No sender may define a lower id.
constexpr bool is_builtin(TypeId id) { return id >= id_bool && id <= id_interface; }
std::string_view builtin_name(TypeId id);  // "bool" to "interface"; empty for ids of defined types.

// opaque: GobEncoder and similar types, which are bytes to other programs.
enum class Shape : std::uint8_t { structure, slice, array, map, opaque };
std::string_view name_of(Shape shape);  // "struct", "slice", "array", "map", "opaque"

class Definition {
 public:
  struct Field {  // Points into the definition's own bytes.
    std::uint32_t name_at = 0;
    std::uint16_t name_size = 0;
    TypeId type = 0;
  };

  Shape shape = Shape::structure;
  TypeId key = 0;            // map
  TypeId element = 0;        // With slice, array and map.
  std::uint64_t length = 0;  // array
  std::vector<Field> fields{};

  std::string_view name() const { return std::string_view(bytes_).substr(name_at_, name_size_); }
  std::string_view name_of(const Field& field) const { return std::string_view(bytes_).substr(field.name_at, field.name_size); }
  const std::string& bytes() const { return bytes_; }

  // Reads a wireType value. False: the input is no complete definition, and the cursor has the fault. After `parse`, names have
  // no target until `keep` copies the bytes.
  bool parse(Cursor& cursor, const Limits& limits);
  void keep(BytesView parsed) { bytes_.assign(parsed); }

 private:
  friend class TypePool;
  bool parse_common(Cursor& cursor, const Limits& limits);
  bool parse_body(Cursor& cursor, const Limits& limits, unsigned which);
  bool parse_fields(Cursor& cursor, const Limits& limits);
  bool parse_name(Cursor& cursor, const Limits& limits, std::uint32_t& at, std::uint16_t& size, bool may_cut);

  std::size_t origin_ = 0;  // Offset of the definition in the cursor's input.
  std::uint32_t name_at_ = 0;
  std::uint16_t name_size_ = 0;
  std::uint32_t users_ = 0;  // Number of streams with this definition.
  std::string bytes_;        // As sent, without the id.
};

}  // namespace parlance::gob
