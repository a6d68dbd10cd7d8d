// SPDX-License-Identifier: Apache-2.0
// A gob value as JSON text, by nothing but the types in the stream. One thread at a time.
//
//   bool, numbers, string   as in JSON (NaN and infinities become null, bytes that are no UTF-8 become U+FFFD)
//   bytes, opaque types     base64 text
//   struct                  object with the fields that were sent
//   slice, array            array
//   map                     object; keys that are integers or booleans become text. Other keys: an array of [key, value]
//   complex                 {"re": …, "im": …}
//   interface               its value; null for nil. A name that every Go program knows must fit the kind and the range it names
//
// Annotated, nothing is lost: bytes are {"bytes": hex}, an interface value is {"concrete": name, "value": …}, a map whose keys
// are not text is an array of [key, value].
#pragma once

#include <string>
#include <string_view>

#include "parlance/codec/gob/type_table.h"

namespace parlance::gob {

enum class Form : std::uint8_t { plain, annotated };

// What every Go program knows by name: "int8", "float64", "[]string"…
struct KnownName {
  std::string_view name;
  TypeId id = 0;
  int bits = 0;        // of integers and floats; 0: any value fits
  bool slice = false;  // of `id`; []uint8 is bytes and no slice
};
const KnownName* find_known_name(std::string_view name, KnownName& storage);

class AnyWriter {
 public:
  // `budget`: bytes of memory that may still be taken; counted down.
  AnyWriter(const TypeTable& types, std::string& out, std::size_t& budget, Form form = Form::plain)
      : types_(types), out_(out), budget_(budget), form_(form) {}

  // The value at the cursor must have been walked over before (walker.h): its nesting is trusted.
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
