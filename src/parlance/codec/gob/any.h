// SPDX-License-Identifier: Apache-2.0
// A gob value as JSON text, by the types in the stream alone. One thread at a time.
//
//   bool, numbers, string   as in JSON (NaN and infinities become null, bytes outside of UTF-8 become U+FFFD)
//   bytes, opaque types     base64 text
//   struct                  object with the sent fields
//   slice, array            array
//   map                     object; integer and boolean keys become text. Other keys: an array of [key, value]
//   complex                 {"re": …, "im": …}
//   interface               its value; null for nil. A name known to every Go program must match kind and range
//
// The annotated form loses nothing: bytes are {"bytes": hex}, an interface value is {"concrete": name, "value": …}, and a map
// with other keys than text is an array of [key, value].
#pragma once

#include <string>
#include <string_view>

#include "parlance/codec/gob/type_table.h"

namespace parlance::gob {

enum class Form : std::uint8_t { plain, annotated };

// Type names that every Go program knows: "int8", "float64", "[]string"…
struct KnownName {
  std::string_view name;
  TypeId id = 0;
  int bits = 0;        // Of integers and floats; 0: any value fits.
  bool slice = false;  // Of `id`; []uint8 is bytes, not a slice.
};
const KnownName* find_known_name(std::string_view name, KnownName& storage);

class AnyWriter {
 public:
  // `budget`: remaining memory in bytes; counted down.
  AnyWriter(const TypeTable& types, std::string& out, std::size_t& budget, Form form = Form::plain)
      : types_(types), out_(out), budget_(budget), form_(form) {}

  // walker.h must have passed the value before: its nesting is trusted.
  bool write(Cursor& cursor, TypeId id) { return value(cursor, id, nullptr); }
  const std::string& fault() const { return fault_; }

 private:
  bool value(Cursor& cursor, TypeId id, const KnownName* known);
  bool own_value(Cursor& cursor, TypeId id, const KnownName* known);
  bool structure(Cursor& cursor, const Definition& definition);
  bool list(Cursor& cursor, const Definition& definition, const KnownName* known);
  bool map(Cursor& cursor, const Definition& definition);
  bool map_key(Cursor& cursor, TypeId id);
  bool interface_value(Cursor& cursor);
  bool check_known(const KnownName& known, TypeId id);
  bool complex(Cursor& cursor);
  bool bytes(BytesView bytes);
  bool in_range(bool fits, const KnownName& known);
  bool refuse(std::string why);
  bool refuse(const Cursor& cursor) { return refuse(cursor.fault() != nullptr ? cursor.fault() : "gob: broken value"); }
  bool charge(std::size_t bytes);

  const TypeTable& types_;
  std::string& out_;
  std::size_t& budget_;
  Form form_;
  std::string fault_;
};

}  // namespace parlance::gob
