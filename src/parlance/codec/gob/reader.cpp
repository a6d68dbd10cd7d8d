// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/gob/reader.h"

#include <cmath>
#include <limits>

#include "parlance/codec/gob/any.h"
#include "parlance/codec/gob/walker.h"

namespace parlance::gob {
namespace {

constexpr std::size_t map_node_bytes = 40 + sizeof(std::string);  // a tree node and its key

}  // namespace

bool PlanReader::refuse(std::string why) {
  if (fault_.empty()) fault_ = std::move(why);
  return false;
}

bool PlanReader::charge(std::size_t bytes) {
  if (bytes > budget_) return refuse("gob: value takes too much memory");
  budget_ -= bytes;
  return true;
}

std::string PlanReader::fault_text() const {
  const std::string why = fault_.empty() ? "gob: broken value" : fault_;
  return path_.empty() ? why : why + " (at $" + path_ + ")";
}

bool PlanReader::value(Cursor& cursor, const Step& step, void* into) {
  switch (step.op) {
    case Op::skip: return skip(cursor, step.id);
    case Op::boolean: {
      std::uint64_t on = 0;
      if (!cursor.read_uint(on)) break;
      *static_cast<bool*>(into) = on != 0;
      return true;
    }
    case Op::from_int: {
      std::int64_t number = 0;
      if (!cursor.read_int(number)) break;
      return integer(step, into, wire::AnyInteger::of(number));
    }
    case Op::from_uint: {
      std::uint64_t number = 0;
      if (!cursor.read_uint(number)) break;
      return integer(step, into, wire::AnyInteger::of(number));
    }
    case Op::number: {
      double number = 0;
      if (!cursor.read_double(number)) break;
      if (step.type->width == 4 && std::isfinite(number) && std::abs(number) > std::numeric_limits<float>::max())
        return refuse("value for \"" + std::string(step.field != nullptr ? step.field->name : "float32") + "\" out of range");
      wire::write_number(*step.type, into, number);
      return true;
    }
    case Op::text:
    case Op::bytes: {
      BytesView bytes;
      if (!cursor.read_bytes(bytes)) break;
      if (step.op == Op::text) static_cast<std::string*>(into)->assign(bytes);
      else static_cast<wire::Blob*>(into)->bytes.assign(bytes);
      return true;
    }
    case Op::byte_list: return byte_list(cursor, step, into);
    case Op::enumeration: return enumeration(cursor, step, into);
    case Op::raw: return raw(cursor, step, into);
    case Op::structure: return structure(cursor, step, into);
    case Op::list: return list(cursor, step, into);
    case Op::map: return map(cursor, step, into);
    case Op::optional: return value(cursor, steps_[step.first], step.type->optional->emplace(into));
  }
  return refuse(cursor.fault() != nullptr ? cursor.fault() : "gob: broken value");
}

bool PlanReader::integer(const Step& step, void* into, wire::AnyInteger number) {
  return wire::write_integer(*step.type, into, number) ||
         refuse("value for \"" + std::string(step.field != nullptr ? std::string(step.field->name) : go_name(*step.type)) +
                "\" out of range");
}

bool PlanReader::structure(Cursor& cursor, const Step& step, void* into) {
  const Step* fields = steps_ + step.first;
  std::uint64_t next = 0;
  for (;;) {
    std::uint64_t delta = 0;
    if (!cursor.read_uint(delta)) return refuse(cursor.fault());
    if (delta == 0) return true;
    if (delta > step.count - next) return refuse("gob: bad data: field numbers out of bounds");
    next += delta;
    const Step& field = fields[next - 1];
    if (!value(cursor, field, field.field != nullptr ? field.field->at(into) : nullptr)) {
      if (field.field != nullptr) path_.insert(0, "." + std::string(field.field->name));
      return false;
    }
  }
}

bool PlanReader::list(Cursor& cursor, const Step& step, void* into) {
  std::uint64_t count = 0;
  if (!cursor.read_uint(count)) return refuse(cursor.fault());
  if (step.type->list->size(into) != 0) step.type->reset(into);  // the sender's elements replace the earlier ones
  if (count == 0) return true;
  const Step& element = steps_[step.first];
  if (count > budget_ || !charge(static_cast<std::size_t>(count) * step.memory))
    return refuse("gob: value takes too much memory");
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!value(cursor, element, step.type->list->append(into))) {
      path_.insert(0, "[" + std::to_string(i) + "]");
      return false;
    }
  }
  return true;
}

bool PlanReader::byte_list(Cursor& cursor, const Step& step, void* into) {
  BytesView bytes;
  if (!cursor.read_bytes(bytes)) return refuse(cursor.fault());
  if (step.type->list->size(into) != 0) step.type->reset(into);
  for (const char byte : bytes) *static_cast<std::uint8_t*>(step.type->list->append(into)) = static_cast<std::uint8_t>(byte);
  return true;
}

bool PlanReader::map(Cursor& cursor, const Step& step, void* into) {
  std::uint64_t count = 0;
  if (!cursor.read_uint(count)) return refuse(cursor.fault());
  const Step& element = steps_[step.first];
  const std::size_t each = map_node_bytes + step.memory;
  for (std::uint64_t i = 0; i < count; ++i) {
    BytesView key;
    if (!cursor.read_bytes(key)) return refuse(cursor.fault());
    if (!charge(each)) return false;
    if (!value(cursor, element, step.type->map->insert(into, std::string(key)))) {
      path_.insert(0, "." + std::string(key));
      return false;
    }
  }
  return true;
}

bool PlanReader::enumeration(Cursor& cursor, const Step& step, void* into) {
  BytesView text;
  if (!cursor.read_bytes(text)) return refuse(cursor.fault());
  const wire::EnumOps& ops = *step.type->enumeration;
  const auto names = ops.names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != text) continue;
    ops.set(into, static_cast<int>(i));
    return true;
  }
  if (ops.unknown == nullptr) return refuse("unknown value \"" + std::string(text) + "\" for " + std::string(step.type->name));
  ops.unknown(into)->assign(text);
  return true;
}

bool PlanReader::raw(Cursor& cursor, const Step& step, void* into) {
  std::string& json = static_cast<wire::Raw*>(into)->json;
  json.clear();
  AnyWriter writer(types_, json, budget_);
  return writer.write(cursor, step.id) || refuse(writer.fault());
}

bool PlanReader::skip(Cursor& cursor, TypeId id) {
  Walker walker(types_, limits_, types_.pool().walk_frames());
  return walker.start(cursor, id) == Walker::Outcome::done ||
         refuse(cursor.fault() != nullptr ? cursor.fault() : "gob: broken value");
}

}  // namespace parlance::gob
