// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/gob/described.h"

#include <cmath>
#include <limits>

#include "parlance/base/base64.h"
#include "parlance/base/text.h"
#include "parlance/codec/gob/interface.h"

namespace parlance::gob {

using json::Value;

namespace {

class DescribedWriter {
 public:
  DescribedWriter(const DescribedTypes& types, const TypePool& pool, std::string& out, int depth)
      : types_(types), out_(out), interfaces_(pool, out, counts_, needs_), depth_left_(depth) {}

  Result<void> write(std::size_t index, const Value& value) {
    const DescribedType& node = types_[index];
    if (is_builtin(node.id)) return write_builtin(node.id, value);
    if (depth_left_ == 0) return misfit("a value less deeply nested");
    --depth_left_;
    auto done = write_own(node, value);
    ++depth_left_;
    return done;
  }
  const InterfaceNeeds& needs() const { return needs_; }
  void finish() { counts_.put_in(out_); }

 private:
  static Result<void> misfit(std::string_view expected) {
    return fail(Errc::invalid_params, "expected " + std::string(expected));
  }

  Result<void> write_own(const DescribedType& node, const Value& value) {
    if (node.shape == Shape::structure) return write_struct(node, value);
    if (node.shape == Shape::map) return write_map(node, value);
    const json::Array* items = value.array();
    static const json::Array none;
    if (items == nullptr) {
      if (!value.is_null()) return misfit("an array");
      items = &none;
    }
    if (node.shape == Shape::array && items->size() != node.length) return misfit(std::to_string(node.length) + " elements");
    write_uint(out_, items->size());
    for (std::size_t i = 0; i < items->size(); ++i)
      if (auto done = write(node.element, (*items)[i]); !done) return in_place(std::move(done), "[" + std::to_string(i) + "]");
    return {};
  }

  Result<void> write_struct(const DescribedType& node, const Value& value) {
    const json::Object* members = value.object();
    if (members == nullptr && !value.is_null()) return misfit("an object");
    if (members != nullptr) {
      for (const auto& [name, member] : members->members) {
        bool known = false;
        for (const auto& field : node.fields) known = known || field.first == name;
        if (!known) return misfit("no field " + name);
      }
    }
    std::size_t unsent = 1;
    for (const auto& [name, type] : node.fields) {
      const Value* member = members != nullptr ? members->find(name) : nullptr;
      if (member == nullptr || is_zero(types_[type], *member)) {
        ++unsent;
        continue;
      }
      write_uint(out_, unsent);
      unsent = 1;
      if (auto done = write(type, *member); !done) return in_place(std::move(done), "." + name);
    }
    out_ += '\0';
    return {};
  }

  Result<void> write_map(const DescribedType& node, const Value& value) {
    if (const json::Object* object = value.object()) {
      write_uint(out_, object->members.size());
      for (const auto& [name, member] : object->members) {
        if (auto done = write_key(types_[node.key].id, name); !done) return in_place(std::move(done), "." + name);
        if (auto done = write(node.element, member); !done) return in_place(std::move(done), "." + name);
      }
      return {};
    }
    const json::Array* pairs = value.array();
    if (pairs == nullptr) return misfit("an object or an array of [key, value]");
    write_uint(out_, pairs->size());
    for (const Value& pair : *pairs) {
      if (pair.array() == nullptr || pair.array()->size() != 2) return misfit("[key, value]");
      PARLANCE_TRY_DO(write(node.key, (*pair.array())[0]));
      PARLANCE_TRY_DO(write(node.element, (*pair.array())[1]));
    }
    return {};
  }

  // A key of a JSON object stands for a text, an integer or a boolean.
  Result<void> write_key(TypeId id, const std::string& name) {
    if (id == id_string) return write_builtin(id, Value(name));
    if (id == id_bool && (name == "true" || name == "false")) return write_builtin(id, Value(name == "true"));
    if (const auto number = parse_number<std::int64_t>(name); number && (id == id_int || id == id_uint))
      return write_builtin(id, Value(*number));
    if (const auto number = parse_number<std::uint64_t>(name); number && id == id_uint) return write_builtin(id, Value(*number));
    return misfit("another key");
  }

  Result<void> write_builtin(TypeId id, const Value& value) {
    std::int64_t whole = 0;
    double real = 0;
    switch (id) {
      case id_bool:
        if (value.boolean() == nullptr) return misfit("a boolean");
        out_ += *value.boolean() ? '\1' : '\0';
        return {};
      case id_int:
        if (!value.integer(whole)) return misfit("an integer");
        write_int(out_, whole);
        return {};
      case id_uint:
        if (const auto* large = std::get_if<std::uint64_t>(&value.data)) write_uint(out_, *large);
        else if (value.integer(whole) && whole >= 0) write_uint(out_, static_cast<std::uint64_t>(whole));
        else return misfit("an integer that is not negative");
        return {};
      case id_float:
        if (!value.number(real)) return misfit("a number");
        write_double(out_, real);
        return {};
      case id_complex: {
        const Value* re = value.find("re");
        const Value* im = value.find("im");
        double imaginary = 0;
        if (re == nullptr || im == nullptr || !re->number(real) || !im->number(imaginary))
          return misfit("{\"re\": …, \"im\": …}");
        write_double(out_, real);
        write_double(out_, imaginary);
        return {};
      }
      case id_string:
        if (value.text() == nullptr) return misfit("text");
        write_bytes(out_, *value.text());
        return {};
      case id_bytes: return write_blob(value);
      default: return interfaces_.write(json::to_text(value), depth_left_);
    }
  }

  Result<void> write_blob(const Value& value) {
    Bytes bytes;
    if (const std::string* text = value.text()) {
      auto decoded = from_base64(*text);
      if (!decoded) return misfit("base64 text");
      bytes = *std::move(decoded);
    } else if (const Value* hex = value.find("bytes");
               hex == nullptr || hex->text() == nullptr || !from_hex(*hex->text(), bytes)) {
      return misfit("base64 text or {\"bytes\": hex}");
    }
    write_bytes(out_, bytes);
    return {};
  }

  static bool is_zero(const DescribedType& node, const Value& value) {
    if (value.is_null()) return true;
    if (node.id == id_interface || node.shape == Shape::structure || node.shape == Shape::array) return false;
    if (const bool* on = value.boolean()) return !*on;
    if (double number = 0; value.number(number)) return number == 0;
    if (value.text() != nullptr) return value.text()->empty();
    if (value.array() != nullptr) return value.array()->empty();
    return node.shape == Shape::map && value.object() != nullptr && value.object()->members.empty();
  }

  static Result<void> in_place(Result<void> result, const std::string& place) {
    Error error = std::move(result).error();
    // "expected text" becomes ".Name: expected text", then ".Items[2].Name: expected text".
    const bool has_place = error.message.starts_with('.') || error.message.starts_with('[');
    error.message.insert(0, has_place ? place : place + ": ");
    return std::unexpected(std::move(error));
  }

  const DescribedTypes& types_;
  std::string& out_;
  Counts counts_;
  InterfaceNeeds needs_;
  InterfaceWriter interfaces_;
  int depth_left_;
};

}  // namespace

Result<std::size_t> DescribedEncoder::root_of(std::string_view type) {
  if (const auto known = texts_.find(type); known != texts_.end()) return known->second;
  const std::size_t types_before = types_.size();
  auto parsed = types_.parse(type);
  if (parsed && types_[*parsed].id == id_interface)
    parsed = fail(Errc::invalid_params, "gob: an interface value cannot stand alone");
  if (!parsed) types_.forget_from(types_before);
  return parsed;
}

Result<void> DescribedEncoder::declare(std::string_view type) {
  PARLANCE_TRY(root, root_of(type));
  texts_.emplace(type, root);
  return {};
}

Result<void> DescribedEncoder::encode(std::string& out, std::string_view type, const Value& value) {
  const std::size_t begin = out.size();
  const std::size_t types_before = types_.size();
  PARLANCE_TRY(root, root_of(type));
  write_int(out, types_[root].id);
  if (types_[root].shape != Shape::structure) out += '\0';
  DescribedWriter writer(types_, beside_.pool(), out, limits_.depth);
  if (auto done = writer.write(root, value); !done) {
    out.resize(begin);
    types_.forget_from(types_before);
    Error error = std::move(done).error();
    const bool has_place = error.message.starts_with('.') || error.message.starts_with('[');
    error.message.insert(0, has_place ? "$" : "$: ");
    return std::unexpected(std::move(error));
  }
  writer.finish();

  const std::size_t size = out.size() - begin;
  std::string front;
  types_.announce(front, root);
  beside_.announce_interfaces(front, writer.needs());
  write_uint(front, size);
  out.insert(begin, front);
  texts_.emplace(type, root);
  return {};
}

}  // namespace parlance::gob
