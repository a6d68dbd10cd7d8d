// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/gob/encoder.h"

#include <utility>

namespace parlance::gob {

using wire::Kind;
using wire::Type;

class Encoder::ValueWriter {
 public:
  ValueWriter(const TypePool& pool, std::string& out, int depth)
      : out_(out), interfaces_(pool, out, counts_, needs_), depth_left_(depth) {}

  bool write(const Type& type, const void* value) {
    switch (type.kind) {
      case Kind::boolean: out_ += *static_cast<const bool*>(value) ? '\1' : '\0'; return true;
      case Kind::integer: write_uint(out_, bits_of(type, value)); return true;
      case Kind::number: write_double(out_, wire::read_number(type, value)); return true;
      case Kind::text: write_bytes(out_, *static_cast<const std::string*>(value)); return true;
      case Kind::bytes: write_bytes(out_, static_cast<const wire::Blob*>(value)->bytes); return true;
      case Kind::enumeration: write_bytes(out_, text_of(type, value)); return true;
      case Kind::raw: return write_raw(static_cast<const wire::Raw*>(value)->json);
      case Kind::object: return nested([&] { return write_struct(type, value); });
      case Kind::list: return nested([&] { return write_list(type, value); });
      case Kind::map: return nested([&] { return write_map(type, value); });
      case Kind::optional:
      case Kind::nullable: {
        const void* inner = type.optional->get(value);
        if (inner != nullptr) return write(type.element(), inner);
        out_ += '\0';  // an element has to be sent; the zero of every kind is this byte
        return true;
      }
      case Kind::tagged: break;
    }
    return refuse("gob: type has no gob form");
  }

  Result<void> fault() { return std::unexpected(std::move(fault_)); }
  const InterfaceNeeds& needs() const { return needs_; }
  void finish() {
    if (!counts_.empty()) counts_.put_in(out_);
  }

 private:
  bool refuse(std::string why) {
    fault_ = Error{.code = Errc::invalid_params, .message = std::move(why)};
    return false;
  }

  template <class Write>
  bool nested(Write write) {
    if (depth_left_ == 0) return refuse("gob: value nested too deeply");
    --depth_left_;
    const bool done = write();
    ++depth_left_;
    return done;
  }

  static std::uint64_t bits_of(const Type& type, const void* value) {
    const std::uint64_t bits = wire::read_integer(type, value).magnitude;
    return type.is_signed ? int_bits(static_cast<std::int64_t>(bits)) : bits;
  }

  static std::string_view text_of(const Type& type, const void* value) {
    const int index = type.enumeration->get(value);
    if (index >= 0) return type.enumeration->names()[static_cast<std::size_t>(index)];
    return *type.enumeration->unknown(const_cast<void*>(value));
  }

  static bool is_zero(const Type& type, const void* value) {
    switch (type.kind) {
      case Kind::boolean: return !*static_cast<const bool*>(value);
      case Kind::integer: return bits_of(type, value) == 0;
      case Kind::number: return wire::read_number(type, value) == 0;
      case Kind::text: return static_cast<const std::string*>(value)->empty();
      case Kind::bytes: return static_cast<const wire::Blob*>(value)->bytes.empty();
      case Kind::enumeration: return text_of(type, value).empty();
      case Kind::raw: {
        const std::string& json = static_cast<const wire::Raw*>(value)->json;
        return json.empty() || json == "null";
      }
      case Kind::list: return type.list->size(value) == 0;
      case Kind::map: return type.map->size(value) == 0;
      // A zero in an optional member is intended. Go, without optional members, reads the sent zero.
      case Kind::optional: return type.optional->get(value) == nullptr;
      case Kind::nullable: return type.optional->get(value) == nullptr || is_zero(type.element(), type.optional->get(value));
      case Kind::object:  // Go sends these even if completely zero
      case Kind::tagged: return false;
    }
    return false;
  }

  // Most fields are text or numbers, and most are empty: these are checked at once.
  bool write_struct(const Type& type, const void* value) {
    std::size_t unsent = 1;  // distance from the last sent field
    for (const wire::Field& field : type.fields) {
      const void* member = field.at(const_cast<void*>(value));
      const Type& member_type = field.type();
      if (member_type.kind == Kind::text) {
        const auto& text = *static_cast<const std::string*>(member);
        if (text.empty()) {
          ++unsent;
          continue;
        }
        write_uint(out_, std::exchange(unsent, 1));
        write_bytes(out_, text);
        continue;
      }
      if (member_type.kind == Kind::integer) {
        const std::uint64_t bits = bits_of(member_type, member);
        if (bits == 0) {
          ++unsent;
          continue;
        }
        write_uint(out_, std::exchange(unsent, 1));
        write_uint(out_, bits);
        continue;
      }
      if (is_zero(member_type, member)) {
        ++unsent;
        continue;
      }
      write_uint(out_, std::exchange(unsent, 1));
      if (!write(member_type, member)) {
        fault_.message += " (in " + std::string(type.name) + "." + std::string(field.name) + ")";
        return false;
      }
    }
    out_ += '\0';
    return true;
  }

  bool write_list(const Type& type, const void* value) {
    const Type& element = type.element();
    const std::size_t size = type.list->size(value);
    write_uint(out_, size);
    const bool as_bytes = is_byte_list(type);
    for (std::size_t i = 0; i < size; ++i) {
      const void* item = type.list->at(value, i);
      if (as_bytes) out_ += static_cast<char>(*static_cast<const std::uint8_t*>(item));
      else if (!write(element, item)) return false;
    }
    return true;
  }

  bool write_map(const Type& type, const void* value) {
    struct Visit {
      ValueWriter& writer;
      const Type& element;
      bool done = true;
    } visit{*this, type.element()};
    write_uint(out_, type.map->size(value));
    type.map->each(value, &visit, [](void* context, std::string_view key, const void* item) {
      auto& v = *static_cast<Visit*>(context);
      if (!v.done) return;
      write_bytes(v.writer.out_, key);
      v.done = v.writer.write(v.element, item);
    });
    return visit.done;
  }

  bool write_raw(const std::string& json) {
    if (json.empty()) {
      out_ += '\0';
      return true;
    }
    if (auto done = interfaces_.write(json, depth_left_); !done) {
      fault_ = std::move(done).error();
      return false;
    }
    return true;
  }

  std::string& out_;
  Counts counts_;
  InterfaceNeeds needs_;
  InterfaceWriter interfaces_;
  int depth_left_;
  Error fault_;
};

Encoder::Encoder(std::shared_ptr<TypePool> pool, Limits limits)
    : pool_(pool ? std::move(pool) : std::make_shared<TypePool>()), limits_(limits) {}

void Encoder::announce(std::string& out, std::uint32_t index) {
  if (is_announced(index)) return;
  if (index / 64 >= announced_.size()) announced_.resize(index / 64 + 1);
  announced_[index / 64] |= std::uint64_t{1} << index % 64;
  out += pool_->outgoing_at(index).definition;
}

void Encoder::announce_interfaces(std::string& out, const InterfaceNeeds& needs) {
  if (needs.any_map) announce(out, pool_->any_map().index);
  if (needs.any_slice) announce(out, pool_->any_slice().index);
}

Result<void> Encoder::encode(std::string& out, const Type& declared, const void* value) {
  const Type* type = &declared;
  while (type->kind == Kind::optional || type->kind == Kind::nullable) {
    value = type->optional->get(value);
    if (value == nullptr) return fail(Errc::invalid_params, "gob: cannot encode nil pointer of type " + go_name(declared));
    type = &type->element();
  }
  if (type->kind == Kind::raw) return fail(Errc::invalid_params, "gob: an interface value cannot stand alone");
  const OutgoingType& outgoing = pool_->outgoing(*type);
  if (!outgoing.refusal.empty()) return fail(Errc::invalid_params, outgoing.refusal);

  // The value is written first, because only then are its needed definitions known, and the announced types stay correct after a
  // failure.
  const std::size_t begin = out.size();
  out.append(outgoing.length_bytes, '\0');
  write_int(out, outgoing.id);
  if (!outgoing.is_struct) out += '\0';
  ValueWriter writer(*pool_, out, limits_.depth);
  if (!writer.write(*type, value)) {
    out.resize(begin);
    return writer.fault();
  }
  writer.finish();
  const std::size_t size = out.size() - begin - outgoing.length_bytes;
  if (size > limits_.message_bytes) {
    out.resize(begin);
    return fail(Errc::invalid_params, "gob: message too long: " + std::to_string(size) + " bytes");
  }

  const std::size_t reserved = outgoing.length_bytes;
  outgoing.length_bytes = static_cast<std::uint8_t>(uint_size(size));
  const InterfaceNeeds& needs = writer.needs();
  const bool is_new = outgoing.index != OutgoingType::none && !is_announced(outgoing.index);
  if (!is_new && !needs.any_map && !needs.any_slice) [[likely]] {
    if (outgoing.length_bytes != reserved) out.replace(begin, reserved, outgoing.length_bytes, '\0');
    put_uint(out.data() + begin, size);
    return {};
  }
  std::string front;
  if (is_new)
    for (const std::uint32_t index : outgoing.needs) announce(front, index);
  announce_interfaces(front, needs);
  write_uint(front, size);
  out.replace(begin, reserved, front);
  return {};
}

std::size_t Encoder::memory_bytes() const { return sizeof *this + announced_.capacity() * sizeof(std::uint64_t); }

}  // namespace parlance::gob
