// SPDX-License-Identifier: Apache-2.0
// Description of a message: a table of plain structs. The JSON reader and writer, the gob codec, JSON Schema, Markdown and
// TypeScript walk it at run time, each as one ordinary function. `type_of<T>()` builds the table at compile time.
//
// Meaning of the C++ types:
//   T            must be present
//   optional<T>  may be absent, is never written when empty, reads null as absent
//   Nullable<T>  distinguishes null from absent (rare; give the reason at each use)
//   Raw          any JSON, untouched
//   Blob         bytes (base64 in JSON, bytes in gob)
//   Open<Enum>   an enum that the other side may extend: keeps the unknown text
//   Tagged<…>    a union that names its tag field
// A field marked `or_default` may be absent and then keeps the C++ default. Values and constant tables; any thread.
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
  std::string json{};  // One JSON value, as the other side wrote it. Empty: absent.
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
  const char* owner;  // owner_mark of the struct that `at` expects
  void* (*at)(void* object);
  Presence presence = Presence::required;
  std::string_view alias{};  // A second name, read and never written.
  std::string_view holds{};  // Raw or Raws: the type of their content, for descriptions only.
  bool omits_empty = false;  // JSON: false, an empty text, list or object is not written.

  constexpr Field or_default() const {
    Field f = *this;
    f.presence = Presence::optional;
    return f;
  }
  // As `or_default`, for a default of false or an empty text, list or object: JSON then leaves out the member.
  constexpr Field or_absent() const {
    Field f = or_default();
    f.omits_empty = true;
    return f;
  }
  constexpr Field also(std::string_view other_name) const {
    Field f = *this;
    f.alias = other_name;
    return f;
  }
  // For a layer without the type: it forwards the JSON, and the printer of both layers supplies the type's name (codec/schema).
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

struct MapOps {  // Keys are text.
  std::size_t (*size)(const void* map);
  void (*each)(const void* map, void* context, void (*visit)(void* context, std::string_view key, const void* value));
  void* (*insert)(void* map, std::string key);
};

struct OptionalOps {
  const void* (*get)(const void* optional);  // Null if empty.
  void* (*emplace)(void* optional);
};

struct EnumOps {
  std::span<const std::string_view> (*names)();
  int (*get)(const void* value);
  void (*set)(void* value, int index);
  std::string* (*unknown)(void* value);  // Open<Enum> only: storage of unknown text. Otherwise a null function.
};

struct Alternative {
  std::string_view tag;
  TypeOf type;
};

struct TaggedOps {
  std::string_view tag_field;
  std::span<const Alternative> (*alternatives)();
  std::size_t (*index)(const void* value);  // == alternatives().size(): the Other alternative.
  const void* (*get)(const void* value);    // The current alternative (Other: its Raw).
  void* (*emplace)(void* value, std::size_t index);
  bool has_other;
};

struct Type {
  Kind kind;
  std::string_view name{};               // Objects, enums, unions: for documentation only.
  std::uint8_t width = 0;                // Integer, number: size in bytes.
  bool is_signed = false;                // integer
  void (*reset)(void* value) = nullptr;  // Resets the value.
  std::span<const Field> fields{};       // object
  TypeOf element = nullptr;              // List, map, optional, nullable.
  const ListOps* list = nullptr;
  const MapOps* map = nullptr;
  const OptionalOps* optional = nullptr;
  const EnumOps* enumeration = nullptr;
  const TaggedOps* tagged = nullptr;
};

// True: a word of a protocol permits something ("allow_once", "accepted", "approve", "proceed_always").
constexpr bool permits(std::string_view word) {
  for (const std::string_view prefix : {"allow", "accept", "approve", "grant", "permit", "proceed", "always", "yes"})
    if (word.starts_with(prefix)) return true;
  return false;
}

// True: a value of this type can permit something, because an enumerator, tag or boolean in it has a permitting name. For tests
// of tables.
bool decides(const Type& type);

// Reads and writes integers of any width. `write_integer` returns false if the value does not fit.
struct AnyInteger {
  bool negative = false;  // In this case, `magnitude` is the two's complement of a std::int64_t.
  std::uint64_t magnitude = 0;
  static constexpr AnyInteger of(std::int64_t v) { return {v < 0, static_cast<std::uint64_t>(v)}; }
  static constexpr AnyInteger of(std::uint64_t v) { return {false, v}; }
};
AnyInteger read_integer(const Type& type, const void* value);
bool write_integer(const Type& type, void* value, AnyInteger from);
double read_number(const Type& type, const void* value);
void write_number(const Type& type, void* value, double from);

}  // namespace parlance::wire
