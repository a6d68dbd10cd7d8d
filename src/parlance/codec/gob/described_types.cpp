// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/gob/described_types.h"

#include "parlance/base/text.h"
#include "parlance/codec/gob/define.h"
#include "parlance/codec/gob/limits.h"

namespace parlance::gob {

class DescribedTypes::Parser {
 public:
  Parser(DescribedTypes& types, std::string_view text) : types_(types), text_(text) {}

  Result<std::size_t> parse_all() {
    PARLANCE_TRY(root, type(0));
    skip_space(true);
    if (at_ != text_.size()) return fault("something follows the type");
    return root;
  }

 private:
  std::unexpected<Error> fault(std::string what) const {
    return fail(Errc::invalid_params, "type, character " + std::to_string(at_ + 1) + ": " + what);
  }

  void skip_space(bool lines) {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || (lines && (text_[at_] == '\n' || text_[at_] == '\r'))))
      ++at_;
  }
  bool take(char c) {
    skip_space(false);
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string_view word() {
    skip_space(false);
    const std::size_t begin = at_;
    const auto part_of_word = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
             (c & 0x80) != 0;
    };
    while (at_ < text_.size() && part_of_word(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  std::size_t add(DescribedType node) {
    if (node.id == 0) node.id = first_described_id + static_cast<TypeId>(types_.types_.size());
    types_.types_.push_back(std::move(node));
    return types_.types_.size() - 1;
  }

  Result<std::size_t> type(int depth) {
    if (depth > limits::gob_depth) return fault("nested too deeply");
    skip_space(true);
    if (take('*')) return type(depth + 1);  // pointers do not exist on the wire
    if (take('[')) return list(depth);
    const std::string_view name = word();
    if (name == "struct") return structure(depth);
    if (name == "map") return map(depth);
    if (name == "interface" && take('{') && !take('}')) return fault("expected }");
    if (const TypeId id = builtin(name); id != 0) return add({.id = id});
    if (const auto found = types_.names_.find(name); found != types_.names_.end()) return found->second;
    return fault(name.empty() ? "expected a type" : "unknown type " + std::string(name));
  }

  static TypeId builtin(std::string_view name) {
    static const std::map<std::string_view, TypeId> ids{{"bool", id_bool},
                                                        {"string", id_string},
                                                        {"int", id_int},
                                                        {"int8", id_int},
                                                        {"int16", id_int},
                                                        {"int32", id_int},
                                                        {"int64", id_int},
                                                        {"rune", id_int},
                                                        {"uint", id_uint},
                                                        {"uint8", id_uint},
                                                        {"uint16", id_uint},
                                                        {"uint32", id_uint},
                                                        {"uint64", id_uint},
                                                        {"byte", id_uint},
                                                        {"uintptr", id_uint},
                                                        {"float", id_float},
                                                        {"float32", id_float},
                                                        {"float64", id_float},
                                                        {"bytes", id_bytes},
                                                        {"complex", id_complex},
                                                        {"complex64", id_complex},
                                                        {"complex128", id_complex},
                                                        {"interface", id_interface},
                                                        {"any", id_interface}};
    const auto found = ids.find(name);
    return found != ids.end() ? found->second : 0;
  }

  Result<std::size_t> list(int depth) {
    DescribedType node{.shape = Shape::slice};
    if (!take(']')) {
      const auto length = parse_number<std::uint64_t>(word());
      if (!length || !take(']')) return fault("expected ] or a length");
      node.shape = Shape::array;
      node.length = *length;
    }
    skip_space(false);
    const std::size_t begin = at_;
    const std::string_view element_name = word();
    if (node.shape == Shape::slice && (element_name == "byte" || element_name == "uint8")) return add({.id = id_bytes});
    at_ = begin;
    PARLANCE_TRY(element, type(depth + 1));
    node.element = element;
    return add(std::move(node));
  }

  Result<std::size_t> map(int depth) {
    DescribedType node{.shape = Shape::map};
    if (!take('[')) return fault("expected [");
    PARLANCE_TRY(key, type(depth + 1));
    if (!take(']')) return fault("expected ]");
    PARLANCE_TRY(element, type(depth + 1));
    node.key = key;
    node.element = element;
    return add(std::move(node));
  }

  Result<std::size_t> structure(int depth) {
    const std::string name(word());
    if (!take('{')) return fault("expected {");
    if (!name.empty() && types_.names_.contains(name)) return fault("struct " + name + " is declared already");
    const std::size_t own = add({.shape = Shape::structure, .name = name});
    if (!name.empty()) types_.names_[name] = own;
    for (;;) {
      skip_space(true);
      if (take('}')) return own;
      if (take(';')) continue;
      PARLANCE_TRY_DO(field_line(own, depth));
      skip_space(false);
      if (at_ < text_.size() && text_[at_] != ';' && text_[at_] != '\n' && text_[at_] != '\r' && text_[at_] != '}')
        return fault("expected ; or }");
    }
  }

  Result<void> field_line(std::size_t own, int depth) {
    std::vector<std::string> names;
    do {
      names.emplace_back(word());
      if (names.back().empty()) return fault("expected the name of a field");
    } while (take(','));
    PARLANCE_TRY(member, type(depth + 1));
    for (std::string& name : names) {
      for (const auto& field : types_.types_[own].fields)
        if (field.first == name) return fault("field " + name + " is declared twice");
      types_.types_[own].fields.emplace_back(std::move(name), member);
    }
    return {};
  }

  static constexpr TypeId first_described_id = 8192;  // beyond the declared types of a pool, which may share the stream

  DescribedTypes& types_;
  std::string_view text_;
  std::size_t at_ = 0;
};

Result<std::size_t> DescribedTypes::parse(std::string_view text) { return Parser(*this, text).parse_all(); }

std::string DescribedTypes::definition_of(const DescribedType& type) const {
  switch (type.shape) {
    case Shape::slice: return define::slice(type.id, type.name, types_[type.element].id);
    case Shape::array: return define::array(type.id, type.name, types_[type.element].id, type.length);
    case Shape::map: return define::map(type.id, type.name, types_[type.key].id, types_[type.element].id);
    case Shape::structure: {
      std::vector<std::pair<std::string_view, TypeId>> fields;
      for (const auto& [name, member] : type.fields) fields.emplace_back(name, types_[member].id);
      return define::structure(type.id, type.name, fields);
    }
    case Shape::opaque: break;
  }
  return {};
}

void DescribedTypes::announce(std::string& out, std::size_t place) {
  std::vector<std::size_t> waiting{place};
  while (!waiting.empty()) {
    DescribedType& type = types_[waiting.back()];
    waiting.pop_back();
    if (is_builtin(type.id) || type.announced) continue;
    type.announced = true;
    out += definition_of(type);
    if (type.shape == Shape::map) waiting.push_back(type.key);
    if (type.shape != Shape::structure) waiting.push_back(type.element);
    for (const auto& field : type.fields) waiting.push_back(field.second);
  }
}

void DescribedTypes::forget_from(std::size_t count) {
  std::erase_if(names_, [count](const auto& name) { return name.second >= count; });
  types_.resize(count);
}

}  // namespace parlance::gob
