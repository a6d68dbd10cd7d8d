#include "codec/gob/described.h"

#include <cmath>
#include <limits>

#include "base/base64.h"
#include "base/text.h"
#include "codec/gob/define.h"
#include "codec/gob/interface.h"

namespace parlance::gob {

using json::Value;
using Node = DescribedEncoder::Node;

// ---- the notation ------------------------------------------------------------------------------------------------------

class TypeParser {
 public:
  TypeParser(DescribedEncoder& encoder, std::string_view text) : encoder_(encoder), text_(text) {}

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

  std::size_t add(Node node) {
    if (node.id == 0) node.id = first_described_id + static_cast<TypeId>(encoder_.nodes_.size());
    encoder_.nodes_.push_back(std::move(node));
    return encoder_.nodes_.size() - 1;
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
    if (const auto found = encoder_.names_.find(name); found != encoder_.names_.end()) return found->second;
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
    Node node{.shape = Shape::slice};
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
    Node node{.shape = Shape::map};
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
    if (!name.empty() && encoder_.names_.contains(name)) return fault("struct " + name + " is declared already");
    const std::size_t own = add({.shape = Shape::structure, .name = name});
    if (!name.empty()) encoder_.names_[name] = own;
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
      for (const auto& field : encoder_.nodes_[own].fields)
        if (field.first == name) return fault("field " + name + " is declared twice");
      encoder_.nodes_[own].fields.emplace_back(std::move(name), member);
    }
    return {};
  }

  static constexpr TypeId first_described_id = 128;  // beyond the two that the pool uses

  DescribedEncoder& encoder_;
  std::string_view text_;
  std::size_t at_ = 0;
};

// ---- values ------------------------------------------------------------------------------------------------------------

namespace {

class DescribedWriter {
 public:
  DescribedWriter(const std::vector<Node>& nodes, const TypePool& pool, std::string& out, int depth)
      : nodes_(nodes), out_(out), interfaces_(pool, out, counts_, needs_), depth_left_(depth) {}

  Result<void> write(std::size_t index, const Value& value) {
    const Node& node = nodes_[index];
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

  Result<void> write_own(const Node& node, const Value& value) {
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

  Result<void> write_struct(const Node& node, const Value& value) {
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
      if (member == nullptr || is_zero(nodes_[type], *member)) {
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

  Result<void> write_map(const Node& node, const Value& value) {
    if (const json::Object* object = value.object()) {
      write_uint(out_, object->members.size());
      for (const auto& [name, member] : object->members) {
        if (auto done = write_key(nodes_[node.key].id, name); !done) return in_place(std::move(done), "." + name);
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

  static bool is_zero(const Node& node, const Value& value) {
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

  const std::vector<Node>& nodes_;
  std::string& out_;
  Counts counts_;
  InterfaceNeeds needs_;
  InterfaceWriter interfaces_;
  int depth_left_;
};

}  // namespace

std::string DescribedEncoder::definition_of(const Node& node) const {
  switch (node.shape) {
    case Shape::slice: return define::slice(node.id, node.name, nodes_[node.element].id);
    case Shape::array: return define::array(node.id, node.name, nodes_[node.element].id, node.length);
    case Shape::map: return define::map(node.id, node.name, nodes_[node.key].id, nodes_[node.element].id);
    case Shape::structure: {
      std::vector<std::pair<std::string_view, TypeId>> fields;
      for (const auto& [name, type] : node.fields) fields.emplace_back(name, nodes_[type].id);
      return define::structure(node.id, node.name, fields);
    }
    case Shape::opaque: break;
  }
  return {};
}

void DescribedEncoder::announce(std::string& out, std::size_t index) {
  std::vector<std::size_t> waiting{index};
  while (!waiting.empty()) {
    Node& node = nodes_[waiting.back()];
    waiting.pop_back();
    if (is_builtin(node.id) || node.announced) continue;
    node.announced = true;
    out += definition_of(node);
    if (node.shape == Shape::map) waiting.push_back(node.key);
    if (node.shape != Shape::structure) waiting.push_back(node.element);
    for (const auto& field : node.fields) waiting.push_back(field.second);
  }
}

void DescribedEncoder::forget_from(std::size_t count) {
  std::erase_if(names_, [count](const auto& name) { return name.second >= count; });
  nodes_.resize(count);
}

Result<std::size_t> DescribedEncoder::root_of(std::string_view type) {
  if (const auto known = texts_.find(type); known != texts_.end()) return known->second;
  const std::size_t nodes_before = nodes_.size();
  auto parsed = TypeParser(*this, type).parse_all();
  if (parsed && nodes_[*parsed].id == id_interface)
    parsed = fail(Errc::invalid_params, "gob: an interface value cannot stand alone");
  if (!parsed) forget_from(nodes_before);
  return parsed;
}

Result<void> DescribedEncoder::declare(std::string_view type) {
  PARLANCE_TRY(root, root_of(type));
  texts_.emplace(type, root);
  return {};
}

Result<void> DescribedEncoder::encode(std::string& out, std::string_view type, const Value& value) {
  const std::size_t begin = out.size();
  const std::size_t nodes_before = nodes_.size();
  PARLANCE_TRY(root, root_of(type));
  write_int(out, nodes_[root].id);
  if (nodes_[root].shape != Shape::structure) out += '\0';
  DescribedWriter writer(nodes_, pool_, out, limits_.depth);
  if (auto done = writer.write(root, value); !done) {
    out.resize(begin);
    forget_from(nodes_before);
    Error error = std::move(done).error();
    const bool has_place = error.message.starts_with('.') || error.message.starts_with('[');
    error.message.insert(0, has_place ? "$" : "$: ");
    return std::unexpected(std::move(error));
  }
  writer.finish();

  const std::size_t size = out.size() - begin;
  std::string front;
  announce(front, root);
  if (writer.needs().any_map && !map_announced_) front += pool_.any_map().definition;
  if (writer.needs().any_slice && !slice_announced_) front += pool_.any_slice().definition;
  map_announced_ = map_announced_ || writer.needs().any_map;
  slice_announced_ = slice_announced_ || writer.needs().any_slice;
  write_uint(front, size);
  out.insert(begin, front);
  texts_.emplace(type, root);
  return {};
}

}  // namespace parlance::gob
