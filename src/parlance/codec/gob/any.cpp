// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/gob/any.h"

#include <array>
#include <cmath>
#include <limits>

#include "parlance/base/base64.h"
#include "parlance/codec/json/value.h"
#include "parlance/codec/json/writer.h"

namespace parlance::gob {
namespace {

constexpr std::array known_names{
    KnownName{"bool", id_bool},          KnownName{"string", id_string},    KnownName{"int", id_int},
    KnownName{"int8", id_int, 8},        KnownName{"int16", id_int, 16},    KnownName{"int32", id_int, 32},
    KnownName{"int64", id_int},          KnownName{"uint", id_uint},        KnownName{"uint8", id_uint, 8},
    KnownName{"uint16", id_uint, 16},    KnownName{"uint32", id_uint, 32},  KnownName{"uint64", id_uint},
    KnownName{"uintptr", id_uint},       KnownName{"float64", id_float},    KnownName{"float32", id_float, 32},
    KnownName{"complex128", id_complex}, KnownName{"complex64", id_complex}};

// Memory of a json::Value, without its text.
constexpr std::size_t value_overhead_bytes = sizeof(json::Value);

}  // namespace

const KnownName* find_known_name(std::string_view name, KnownName& storage) {
  const bool slice = name.starts_with("[]");
  const std::string_view element = slice ? name.substr(2) : name;
  for (const KnownName& known : known_names) {
    if (known.name != element) continue;
    storage = known;
    storage.name = name;
    storage.slice = slice;
    if (slice && element == "uint8") storage = KnownName{name, id_bytes};
    return &storage;
  }
  return nullptr;
}

bool AnyWriter::refuse(std::string why) {
  if (fault_.empty()) fault_ = std::move(why);
  return false;
}

bool AnyWriter::charge(std::size_t bytes) {
  if (bytes > budget_) return refuse("gob: value takes too much memory");
  budget_ -= bytes;
  return true;
}

bool AnyWriter::in_range(bool fits, const KnownName& known) {
  return fits || refuse("value for \"" + std::string(known.name) + "\" out of range");
}

bool AnyWriter::value(Cursor& cursor, TypeId id, const KnownName* known) {
  const std::size_t before = out_.size();
  bool done = false;
  switch (id) {
    case id_bool: {
      std::uint64_t on = 0;
      done = cursor.read_uint(on);
      out_ += on != 0 ? "true" : "false";
      break;
    }
    case id_int: {
      std::int64_t number = 0;
      done = cursor.read_int(number);
      if (known != nullptr && known->bits != 0 && !in_range(number == number << (64 - known->bits) >> (64 - known->bits), *known))
        return false;
      json::write_integer(out_, number);
      break;
    }
    case id_uint: {
      std::uint64_t number = 0;
      done = cursor.read_uint(number);
      if (known != nullptr && known->bits != 0 && !in_range(number >> known->bits == 0, *known)) return false;
      json::write_integer(out_, number);
      break;
    }
    case id_float: {
      double number = 0;
      done = cursor.read_double(number);
      if (known != nullptr && known->bits == 32 && std::isfinite(number) &&
          !in_range(std::abs(number) <= std::numeric_limits<float>::max(), *known))
        return false;
      json::write_number(out_, number);
      break;
    }
    case id_complex: done = complex(cursor); break;
    case id_string: {
      BytesView text;
      done = cursor.read_bytes(text);
      json::write_text(out_, text);
      break;
    }
    case id_bytes: {
      BytesView content;
      done = cursor.read_bytes(content) && bytes(content);
      break;
    }
    case id_interface: return interface_value(cursor);
    default: return own_value(cursor, id, known);
  }
  return done ? charge(out_.size() - before + value_overhead_bytes) : refuse(cursor);
}

bool AnyWriter::complex(Cursor& cursor) {
  double re = 0;
  double im = 0;
  const bool done = cursor.read_double(re) && cursor.read_double(im);
  out_ += "{\"re\":";
  json::write_number(out_, re);
  out_ += ",\"im\":";
  json::write_number(out_, im);
  out_ += '}';
  return done;
}

bool AnyWriter::bytes(BytesView bytes) {
  if (form_ == Form::annotated) {
    out_ += "{\"bytes\":\"";
    out_ += to_hex(bytes);
    out_ += "\"}";
  } else {
    json::write_text(out_, to_base64(bytes));
  }
  return true;
}

bool AnyWriter::own_value(Cursor& cursor, TypeId id, const KnownName* known) {
  const Definition* definition = types_.find(id);
  if (definition == nullptr) return refuse("gob: unknown type id or corrupted data");
  if (!charge(value_overhead_bytes + 2)) return false;
  switch (definition->shape) {
    case Shape::structure: return structure(cursor, *definition);
    case Shape::slice:
    case Shape::array: return list(cursor, *definition, known);
    case Shape::map: return map(cursor, *definition);
    case Shape::opaque: {
      BytesView content;
      if (!cursor.read_bytes(content)) return refuse(cursor);
      const std::size_t before = out_.size();
      return bytes(content) && charge(out_.size() - before);
    }
  }
  return false;
}

bool AnyWriter::structure(Cursor& cursor, const Definition& definition) {
  out_ += '{';
  std::uint64_t next = 0;
  for (bool first = true;; first = false) {
    std::uint64_t delta = 0;
    if (!cursor.read_uint(delta)) return refuse(cursor);
    if (delta == 0) break;
    if (delta > definition.fields.size() - next) return refuse("gob: bad data: field numbers out of bounds");
    next += delta;
    const Definition::Field& field = definition.fields[next - 1];
    const std::size_t before = out_.size();
    if (!first) out_ += ',';
    json::write_text(out_, definition.name_of(field));
    out_ += ':';
    if (!charge(out_.size() - before + sizeof(std::string)) || !value(cursor, field.type, nullptr)) return false;
  }
  out_ += '}';
  return true;
}

bool AnyWriter::list(Cursor& cursor, const Definition& definition, const KnownName* known) {
  std::uint64_t count = 0;
  if (!cursor.read_uint(count)) return refuse(cursor);
  out_ += '[';
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i != 0) out_ += ',';
    if (!charge(1) || !value(cursor, definition.element, known)) return false;
  }
  out_ += ']';
  return true;
}

bool AnyWriter::map(Cursor& cursor, const Definition& definition) {
  std::uint64_t count = 0;
  if (!cursor.read_uint(count)) return refuse(cursor);
  const TypeId key = definition.key;
  const bool as_object = key == id_string || (form_ == Form::plain && (key == id_int || key == id_uint || key == id_bool));
  out_ += as_object ? '{' : '[';
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i != 0) out_ += ',';
    if (!charge(sizeof(std::string))) return false;
    if (as_object) {
      if (!map_key(cursor, key)) return false;
      out_ += ':';
      if (!value(cursor, definition.element, nullptr)) return false;
    } else {
      out_ += '[';
      if (!value(cursor, key, nullptr)) return false;
      out_ += ',';
      if (!value(cursor, definition.element, nullptr)) return false;
      out_ += ']';
    }
  }
  out_ += as_object ? '}' : ']';
  return true;
}

bool AnyWriter::map_key(Cursor& cursor, TypeId id) {
  if (id == id_string) return value(cursor, id, nullptr);
  out_ += '"';
  if (!value(cursor, id, nullptr)) return false;
  out_ += '"';
  return true;
}

bool AnyWriter::interface_value(Cursor& cursor) {
  BytesView name;
  if (!cursor.read_bytes(name)) return refuse(cursor);
  if (name.empty()) {
    out_ += "null";
    return charge(4 + value_overhead_bytes);
  }
  std::int64_t id = 0;
  std::uint64_t byte_count = 0;
  if (!cursor.read_int(id) || !cursor.read_uint(byte_count)) return refuse(cursor);
  if (id < 0 || id > std::numeric_limits<TypeId>::max()) return refuse("gob: unknown type id or corrupted data");
  const auto own_id = static_cast<TypeId>(id);
  const Definition* definition = types_.find(own_id);
  if (definition == nullptr || definition->shape != Shape::structure) {
    std::uint64_t zero = 0;
    if (!cursor.read_uint(zero)) return refuse(cursor);
  }
  KnownName storage;
  const KnownName* known = find_known_name(name, storage);
  if (known != nullptr && !check_known(*known, own_id)) return false;
  if (form_ == Form::plain) return value(cursor, own_id, known);

  const std::size_t before = out_.size();
  out_ += "{\"concrete\":";
  json::write_text(out_, name);
  out_ += ",\"value\":";
  if (!charge(out_.size() - before + 1 + 2 * value_overhead_bytes) || !value(cursor, own_id, known)) return false;
  out_ += '}';
  return true;
}

bool AnyWriter::check_known(const KnownName& known, TypeId id) {
  const Definition* definition = known.slice ? types_.find(id) : nullptr;
  const bool fits = known.slice ? definition != nullptr && definition->shape == Shape::slice && definition->element == known.id
                                : id == known.id;
  return fits ||
         refuse("gob: decoding into local type " + std::string(known.name) + ", received remote type " + types_.describe(id));
}

}  // namespace parlance::gob
