// SPDX-License-Identifier: Apache-2.0
// How a message is described: a table of plain structs that the JSON reader and writer, the gob codec, JSON Schema, Markdown
// and TypeScript walk at run time, each as one ordinary function. `type_of<T>()` builds the table at compile time.
//
// What the C++ type says:
//   T            must be present
//   optional<T>  may be absent, is never written when empty, reads null as absent
//   Nullable<T>  tells null from absent (rare; say why where it is used)
//   Raw          any JSON, untouched
//   Blob         bytes (base64 in JSON, bytes in gob)
//   Open<Enum>   an enum that the other side may extend: keeps the unknown text
//   Tagged<…>    a union that names its tag field
// A field marked `or_default` may be absent and then keeps the C++ default.
// Values and constant tables; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace parlance::wire {

enum class Kind : std::uint8_t {
  boolean,
  integer,
  number,
  text,
  bytes,
  raw,
  enumeration,
  object,
  list,
  map,
  optional,
  nullable,
  tagged
};

struct Raw {
  std::string json{};  // one JSON value, as the other side wrote it; empty means absent
  friend bool operator==(const Raw&, const Raw&) = default;
};

struct Blob {
  std::string bytes{};
  friend bool operator==(const Blob&, const Blob&) = default;
};

struct Type;
using TypeOf = const Type& (*)();

enum class Presence : std::uint8_t { required, optional };

struct Field {
  std::string_view name;
  std::string_view doc;
  TypeOf type;
  void* (*at)(void* object);
  Presence presence = Presence::required;
  std::string_view alias{};  // A second name that is read, never written.
  std::string_view holds{};  // Raw, or Raws: the described type that they hold; for descriptions alone.

  constexpr Field or_default() const {
    Field f = *this;
    f.presence = Presence::optional;
    return f;
  }
  constexpr Field also(std::string_view other_name) const {
    Field f = *this;
    f.alias = other_name;
    return f;
  }
  // For a layer that may not know the type: it passes the JSON on, and whoever prints both layers puts the name in (codec/schema).
  constexpr Field holding(std::string_view described_type) const {
    Field f = *this;
    f.holds = described_type;
    return f;
  }
};

struct ListOps {
  std::size_t (*size)(const void* list);
  const void* (*at)(const void* list, std::size_t index);
  void* (*append)(void* list);
};

struct MapOps {  // keys are text
  std::size_t (*size)(const void* map);
  void (*each)(const void* map, void* context, void (*visit)(void* context, std::string_view key, const void* value));
  void* (*insert)(void* map, std::string key);
};

struct OptionalOps {
  const void* (*get)(const void* optional);  // null when empty
  void* (*emplace)(void* optional);
};

struct EnumOps {
  std::span<const std::string_view> (*names)();
  int (*get)(const void* value);
  void (*set)(void* value, int index);
  std::string* (*unknown)(void* value);  // Open<Enum> only: where unknown text is kept; null function otherwise
};

struct Alternative {
  std::string_view tag;
  TypeOf type;
};

struct TaggedOps {
  std::string_view tag_field;
  std::span<const Alternative> (*alternatives)();
  std::size_t (*index)(const void* value);  // == alternatives().size(): the Other alternative
  const void* (*get)(const void* value);    // the current alternative (Other: its Raw)
  void* (*emplace)(void* value, std::size_t index);
  bool has_other;
};

struct Type {
  Kind kind;
  std::string_view name{};               // objects, enums, unions: for documentation only
  std::uint8_t width = 0;                // integer, number: bytes
  bool is_signed = false;                // integer
  void (*reset)(void* value) = nullptr;  // back to a fresh value
  std::span<const Field> fields{};       // object
  TypeOf element = nullptr;              // list, map, optional, nullable
  const ListOps* list = nullptr;
  const MapOps* map = nullptr;
  const OptionalOps* optional = nullptr;
  const EnumOps* enumeration = nullptr;
  const TaggedOps* tagged = nullptr;
};

// Whether a word of a protocol permits something ("allow_once", "accepted", "approve", "proceed_always").
constexpr bool permits(std::string_view word) {
  for (const std::string_view prefix : {"allow", "accept", "approve", "grant", "permit", "proceed", "always", "yes"})
    if (word.starts_with(prefix)) return true;
  return false;
}

// Whether a value of this type can permit something: an enumerator, a tag or the name of a boolean in it is a permitting word. For tests
// of tables.
bool decides(const Type& type);

// Integers of any width, through one door each way. `write_integer` is false when the value does not fit.
struct AnyInteger {
  bool negative = false;  // then `magnitude` is the two's complement of a std::int64_t
  std::uint64_t magnitude = 0;
  static constexpr AnyInteger of(std::int64_t v) { return {v < 0, static_cast<std::uint64_t>(v)}; }
  static constexpr AnyInteger of(std::uint64_t v) { return {false, v}; }
};
AnyInteger read_integer(const Type& type, const void* value);
bool write_integer(const Type& type, void* value, AnyInteger from);
double read_number(const Type& type, const void* value);
void write_number(const Type& type, void* value, double from);

}  // namespace parlance::wire
