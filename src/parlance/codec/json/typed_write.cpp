// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "parlance/base/base64.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/writer.h"

namespace parlance::json {
namespace {

using wire::Field;
using wire::Kind;
using wire::Type;

bool is_absent(const Type& type, const void* value) {
  switch (type.kind) {
    case Kind::optional: return type.optional->get(value) == nullptr;
    case Kind::nullable: return type.enumeration->get(value) == 0;
    case Kind::raw: return static_cast<const wire::Raw*>(value)->json.empty();
    default: return false;
  }
}

bool is_left_out(const Field& field, const void* object);

bool is_empty(const Type& type, const void* value) {
  switch (type.kind) {
    case Kind::boolean: return !*static_cast<const bool*>(value);
    case Kind::text: return static_cast<const std::string*>(value)->empty();
    case Kind::list: return type.list->size(value) == 0;
    case Kind::object: return std::ranges::all_of(type.fields, [&](const Field& each) { return is_left_out(each, value); });
    default: return false;
  }
}

const void* place_of(const Field& field, const void* object) {
  return field.at(const_cast<void*>(object));  // the accessor only adds an offset
}

bool is_left_out(const Field& field, const void* object) {
  const void* const place = place_of(field, object);
  return is_absent(field.type(), place) || (field.omits_empty && is_empty(field.type(), place));
}

void write_members(std::string& out, const Type& type, const void* value, bool first) {
  for (const Field& field : type.fields) {
    if (is_left_out(field, value)) continue;
    if (!first) out += ',';
    first = false;
    out += '"';
    out += field.name;  // declared names need no escapes
    out += "\":";
    write(out, field.type(), place_of(field, value));
  }
}

void write_list(std::string& out, const Type& type, const void* value) {
  const Type& element = type.element();
  const std::size_t size = type.list->size(value);
  out += '[';
  for (std::size_t i = 0; i < size; ++i) {
    if (i != 0) out += ',';
    write(out, element, type.list->at(value, i));
  }
  out += ']';
}

void write_map(std::string& out, const Type& type, const void* value) {
  struct Visit {
    std::string& out;
    const Type& element;
    bool first = true;
  } visit{out, type.element()};
  out += '{';
  type.map->each(value, &visit, [](void* context, std::string_view key, const void* item) {
    auto& v = *static_cast<Visit*>(context);
    if (!v.first) v.out += ',';
    v.first = false;
    write_text(v.out, key);
    v.out += ':';
    write(v.out, v.element, item);
  });
  out += '}';
}

void write_tagged(std::string& out, const Type& type, const void* value) {
  const std::size_t index = type.tagged->index(value);
  const auto alternatives = type.tagged->alternatives();
  if (index >= alternatives.size()) {
    write_raw(out, static_cast<const wire::Raw*>(type.tagged->get(value))->json);
    return;
  }
  out += "{\"";
  out += type.tagged->tag_field;
  out += "\":";
  write_text(out, alternatives[index].tag);
  write_members(out, alternatives[index].type(), type.tagged->get(value), false);
  out += '}';
}

}  // namespace

void write(std::string& out, const Type& type, const void* value) {
  switch (type.kind) {
    case Kind::boolean: out += *static_cast<const bool*>(value) ? "true" : "false"; return;
    case Kind::integer: {
      const wire::AnyInteger i = read_integer(type, value);
      if (i.negative) write_integer(out, static_cast<std::int64_t>(i.magnitude));
      else write_integer(out, i.magnitude);
      return;
    }
    case Kind::number: write_number(out, read_number(type, value)); return;
    case Kind::text: write_text(out, *static_cast<const std::string*>(value)); return;
    case Kind::bytes: write_text(out, to_base64(static_cast<const wire::Blob*>(value)->bytes)); return;
    case Kind::raw: {
      const std::string& json = static_cast<const wire::Raw*>(value)->json;
      write_raw(out, json.empty() ? std::string_view("null") : std::string_view(json));
      return;
    }
    case Kind::enumeration: {
      const int index = type.enumeration->get(value);
      if (index >= 0) write_text(out, type.enumeration->names()[static_cast<std::size_t>(index)]);
      else write_text(out, *type.enumeration->unknown(const_cast<void*>(value)));
      return;
    }
    case Kind::object:
      out += '{';
      write_members(out, type, value, true);
      out += '}';
      return;
    case Kind::list: write_list(out, type, value); return;
    case Kind::map: write_map(out, type, value); return;
    case Kind::optional:
    case Kind::nullable: {
      const void* inner = type.optional->get(value);
      if (inner != nullptr) write(out, type.element(), inner);
      else out += "null";
      return;
    }
    case Kind::tagged: write_tagged(out, type, value); return;
  }
}

}  // namespace parlance::json
