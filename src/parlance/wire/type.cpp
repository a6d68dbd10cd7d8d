// SPDX-License-Identifier: Apache-2.0
#include "parlance/wire/type.h"

#include <algorithm>
#include <limits>

namespace parlance::wire {
namespace {

template <class T>
bool store(void* value, AnyInteger from) {
  if (from.negative) {
    const auto v = static_cast<std::int64_t>(from.magnitude);
    if constexpr (std::is_unsigned_v<T>) return false;
    else if (v < static_cast<std::int64_t>(std::numeric_limits<T>::min())) return false;
  } else if (from.magnitude > static_cast<std::uint64_t>(std::numeric_limits<T>::max())) {
    return false;
  }
  *static_cast<T*>(value) = static_cast<T>(from.magnitude);
  return true;
}

// `depth`: types may hold themselves.
bool decides_within(const Type& type, int depth) {
  if (depth == 0) return false;
  if (type.kind == Kind::enumeration) return std::ranges::any_of(type.enumeration->names(), permits);
  if (type.element != nullptr) return decides_within(type.element(), depth - 1);
  if (type.kind == Kind::tagged)
    return std::ranges::any_of(type.tagged->alternatives(), [depth](const Alternative& alternative) {
      return permits(alternative.tag) || decides_within(alternative.type(), depth - 1);
    });
  return std::ranges::any_of(type.fields, [depth](const Field& field) {
    const Type& of = field.type();
    return (of.kind == Kind::boolean && permits(field.name)) || decides_within(of, depth - 1);
  });
}

}  // namespace

bool decides(const Type& type) { return decides_within(type, 8); }

AnyInteger read_integer(const Type& type, const void* value) {
  const auto load = [&]<class T>(T) { return *static_cast<const T*>(value); };
  if (type.is_signed) {
    switch (type.width) {
      case 1: return AnyInteger::of(std::int64_t{load(std::int8_t{})});
      case 2: return AnyInteger::of(std::int64_t{load(std::int16_t{})});
      case 4: return AnyInteger::of(std::int64_t{load(std::int32_t{})});
      default: return AnyInteger::of(load(std::int64_t{}));
    }
  }
  switch (type.width) {
    case 1: return AnyInteger::of(std::uint64_t{load(std::uint8_t{})});
    case 2: return AnyInteger::of(std::uint64_t{load(std::uint16_t{})});
    case 4: return AnyInteger::of(std::uint64_t{load(std::uint32_t{})});
    default: return AnyInteger::of(load(std::uint64_t{}));
  }
}

bool write_integer(const Type& type, void* value, AnyInteger from) {
  if (type.is_signed) {
    switch (type.width) {
      case 1: return store<std::int8_t>(value, from);
      case 2: return store<std::int16_t>(value, from);
      case 4: return store<std::int32_t>(value, from);
      default: return store<std::int64_t>(value, from);
    }
  }
  switch (type.width) {
    case 1: return store<std::uint8_t>(value, from);
    case 2: return store<std::uint16_t>(value, from);
    case 4: return store<std::uint32_t>(value, from);
    default: return store<std::uint64_t>(value, from);
  }
}

double read_number(const Type& type, const void* value) {
  return type.width == 4 ? static_cast<double>(*static_cast<const float*>(value)) : *static_cast<const double*>(value);
}

void write_number(const Type& type, void* value, double from) {
  if (type.width == 4) *static_cast<float*>(value) = static_cast<float>(from);
  else *static_cast<double*>(value) = from;
}

}  // namespace parlance::wire
