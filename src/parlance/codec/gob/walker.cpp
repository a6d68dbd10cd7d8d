// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/gob/walker.h"

#include <limits>

namespace parlance::gob {

// Behind the name of an interface value: its type, or a preceding definition. Inlined by force: a tenth of the time of a walk
// over interfaces within interfaces.
[[gnu::always_inline]] inline Walker::Outcome Walker::concrete_value(Cursor& cursor) {
  definition_at_ = cursor.offset();
  std::int64_t id = 0;
  if (!cursor.read_int(id)) return Outcome::fault;
  if (id < 0) {
    defined_id_ = id == std::numeric_limits<std::int64_t>::min() ? 0 : -id;
    return Outcome::definition;
  }
  std::uint64_t byte_count = 0;  // untrusted: covers only the part up to the next cut
  if (!cursor.read_uint(byte_count)) return Outcome::fault;
  frames_.pop_back();
  if (id > std::numeric_limits<TypeId>::max()) id = 0;
  const Definition* definition = types_.find(static_cast<TypeId>(id));
  if (definition == nullptr || definition->shape != Shape::structure) {
    std::uint64_t zero = 0;
    if (!cursor.read_uint(zero)) return Outcome::fault;
    if (zero != 0) {
      cursor.fail("gob: decode: corrupted data: non-zero delta for singleton");
      return Outcome::fault;
    }
  }
  return value(cursor, static_cast<TypeId>(id)) ? Outcome::done : Outcome::fault;
}

Walker::Outcome Walker::start(Cursor& cursor, TypeId id) { return value(cursor, id) ? resume(cursor) : Outcome::fault; }

Walker::Outcome Walker::resume(Cursor& cursor) {
  while (frames_.size() > base_) {
    WalkFrame& frame = frames_.back();
    if (frame.definition == nullptr) {
      if (const Outcome outcome = concrete_value(cursor); outcome != Outcome::done) return outcome;
      continue;
    }

    const Definition& definition = *frame.definition;
    switch (definition.shape) {
      case Shape::structure: {
        std::uint64_t delta = 0;
        if (!cursor.read_uint(delta)) return Outcome::fault;
        if (delta == 0) {
          frames_.pop_back();
          break;
        }
        if (delta > definition.fields.size() - frame.left) {
          cursor.fail("gob: bad data: field numbers out of bounds");
          return Outcome::fault;
        }
        frame.left += delta;  // `left` is the number of the next field here
        if (!value(cursor, definition.fields[frame.left - 1].type)) return Outcome::fault;
        break;
      }
      case Shape::slice:
      case Shape::array:
        if (frame.left == 0) {
          frames_.pop_back();
          break;
        }
        --frame.left;
        if (!value(cursor, definition.element)) return Outcome::fault;
        break;
      case Shape::map:
        if (frame.left == 0) {
          frames_.pop_back();
          break;
        }
        --frame.left;
        if (!value(cursor, frame.left % 2 != 0 ? definition.key : definition.element)) return Outcome::fault;
        break;
      case Shape::opaque: frames_.pop_back(); break;
    }
  }
  return Outcome::done;
}

bool Walker::value(Cursor& cursor, TypeId id) {
  std::uint64_t number = 0;
  BytesView bytes;
  switch (id) {
    case id_bool:
    case id_int:
    case id_uint:
    case id_float: return cursor.read_uint(number);
    case id_bytes:
    case id_string: return cursor.read_bytes(bytes);
    case id_complex: return cursor.read_uint(number) && cursor.read_uint(number);
    case id_interface: return interface_value(cursor);
    default: return own_value(cursor, id);
  }
}

bool Walker::own_value(Cursor& cursor, TypeId id) {
  const Definition* definition = types_.find(id);
  if (definition == nullptr) return cursor.fail("gob: unknown type id or corrupted data");
  if (definition->shape == Shape::structure) return push(cursor, definition, 0);
  if (definition->shape == Shape::opaque) {
    BytesView bytes;
    return cursor.read_bytes(bytes);
  }
  std::uint64_t count = 0;
  if (!cursor.read_uint(count)) return false;
  if (!fits(*definition, count, cursor.left()))
    return cursor.fail(definition->shape == Shape::map ? "gob: map too big" : "gob: slice too big");
  if (definition->shape == Shape::array && count != definition->length) return cursor.fail("gob: length mismatch in decodeArray");
  return push(cursor, definition, definition->shape == Shape::map ? count * 2 : count);
}

// Every value takes at least one byte on the wire, even an empty struct, so the bytes left in the message bound the count. If an
// element can contain an interface value, Go ends the message at the next type definition. Go sends the other elements in the
// next message: there, only the limit of a whole value bounds the count.
bool Walker::fits(const Definition& definition, std::uint64_t count, std::size_t bytes_left) const {
  const bool is_map = definition.shape == Shape::map;
  const std::size_t bytes_each = is_map ? 2 : 1;
  if (count <= bytes_left / bytes_each) return true;
  const bool may_be_cut =
      types_.levels(definition.element) == TypeTable::open || (is_map && types_.levels(definition.key) == TypeTable::open);
  return may_be_cut && count <= message_bytes_ / bytes_each;
}

bool Walker::interface_value(Cursor& cursor) {
  BytesView name;
  if (!cursor.read_bytes(name)) return false;
  if (name.empty()) return true;
  if (name.size() > name_bytes_) return cursor.fail("gob: name too long");
  return push(cursor, nullptr, 0);
}

bool Walker::push(Cursor& cursor, const Definition* definition, std::uint64_t left) {
  if (frames_.size() - base_ >= depth_) return cursor.fail("gob: value nested too deeply");
  frames_.push_back({definition, left});
  return true;
}

}  // namespace parlance::gob
