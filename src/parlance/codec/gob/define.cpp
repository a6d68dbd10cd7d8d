// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/gob/define.h"

namespace parlance::gob::define {
namespace {

// {Name, Id}, field 0 of every kind of definition.
void write_common(std::string& out, std::string_view name, TypeId id) {
  write_uint(out, 1);
  if (!name.empty()) {
    write_uint(out, 1);
    write_bytes(out, name);
  }
  write_uint(out, name.empty() ? 2 : 1);
  write_int(out, id);
  write_uint(out, 0);
}

std::string whole_message(TypeId id, const std::string& wire_type) {
  std::string body;
  write_int(body, -id);
  body += wire_type;
  std::string message;
  write_bytes(message, body);
  return message;
}

}  // namespace

std::string slice(TypeId id, std::string_view name, TypeId element) {
  std::string out;
  write_uint(out, 2);  // wireType.SliceT
  write_common(out, name, id);
  write_uint(out, 1);
  write_int(out, element);
  out.append(2, '\0');
  return whole_message(id, out);
}

std::string array(TypeId id, std::string_view name, TypeId element, std::uint64_t length) {
  std::string out;
  write_uint(out, 1);  // wireType.ArrayT
  write_common(out, name, id);
  write_uint(out, 1);
  write_int(out, element);
  if (length != 0) {
    write_uint(out, 1);
    write_int(out, static_cast<std::int64_t>(length));
  }
  out.append(2, '\0');
  return whole_message(id, out);
}

std::string map(TypeId id, std::string_view name, TypeId key, TypeId element) {
  std::string out;
  write_uint(out, 4);  // wireType.MapT
  write_common(out, name, id);
  write_uint(out, 1);
  write_int(out, key);
  write_uint(out, 1);
  write_int(out, element);
  out.append(2, '\0');
  return whole_message(id, out);
}

std::string structure(TypeId id, std::string_view name, const std::vector<std::pair<std::string_view, TypeId>>& fields) {
  std::string out;
  write_uint(out, 3);  // wireType.StructT
  write_common(out, name, id);
  if (!fields.empty()) {
    write_uint(out, 1);
    write_uint(out, fields.size());
    for (const auto& [field, type] : fields) {
      write_uint(out, 1);
      write_bytes(out, field);
      write_uint(out, 1);
      write_int(out, type);
      write_uint(out, 0);
    }
  }
  out.append(2, '\0');
  return whole_message(id, out);
}

}  // namespace parlance::gob::define
