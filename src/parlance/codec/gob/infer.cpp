// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/gob/infer.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "parlance/codec/gob/limits.h"

namespace parlance::gob {
namespace {

using json::Value;

// The known facts about a type. `nothing`: any type fits, after a null or an empty list.
struct Guess {
  enum class Kind { nothing, boolean, integer, unsigned_integer, real, text, list, structure, any, said };
  using Field = std::pair<std::string, Guess>;
  Kind kind = Kind::nothing;
  std::string said{};            // by a hint
  std::vector<Field> fields{};   // of a structure
  std::vector<Guess> element{};  // of a list: a single entry
};

bool is_number(Guess::Kind kind) {
  return kind == Guess::Kind::integer || kind == Guess::Kind::unsigned_integer || kind == Guess::Kind::real;
}

Guess common(Guess a, Guess b);

Guess common_fields(Guess a, Guess b) {
  for (auto& [name, guess] : b.fields) {
    const auto same = std::ranges::find(a.fields, name, &Guess::Field::first);
    if (same == a.fields.end()) a.fields.emplace_back(name, std::move(guess));
    else same->second = common(std::move(same->second), std::move(guess));
  }
  return a;
}

// The type that accepts both.
Guess common(Guess a, Guess b) {
  if (b.kind == Guess::Kind::nothing) return a;
  if (a.kind == Guess::Kind::nothing) return b;
  if (a.kind != b.kind) return {.kind = is_number(a.kind) && is_number(b.kind) ? Guess::Kind::real : Guess::Kind::any};
  if (a.kind == Guess::Kind::structure) return common_fields(std::move(a), std::move(b));
  if (a.kind == Guess::Kind::list) a.element.front() = common(std::move(a.element.front()), std::move(b.element.front()));
  if (a.kind == Guess::Kind::said && a.said != b.said) return {.kind = Guess::Kind::any};
  return a;
}

std::string type_of(const Guess& guess) {
  switch (guess.kind) {
    case Guess::Kind::nothing:
    case Guess::Kind::any: return "interface{}";
    case Guess::Kind::boolean: return "bool";
    case Guess::Kind::integer: return "int";
    case Guess::Kind::unsigned_integer: return "uint";
    case Guess::Kind::real: return "float64";
    case Guess::Kind::text: return "string";
    case Guess::Kind::list: return "[]" + type_of(guess.element.front());
    case Guess::Kind::said: return guess.said;
    case Guess::Kind::structure: break;
  }
  std::string text = "struct {";
  const char* separator = " ";
  for (const auto& [name, field] : guess.fields) {
    if (field.kind == Guess::Kind::nothing) continue;
    text += separator + name + " " + type_of(field);
    separator = "; ";
  }
  return text + " }";
}

bool is_field_name(std::string_view name) {
  const auto part = [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c >= 0x80;
  };
  return !name.empty() && std::ranges::all_of(name, part) && !(name.front() >= '0' && name.front() <= '9');
}

std::string capital(std::string name) {
  if (name.front() >= 'a' && name.front() <= 'z') name.front() = static_cast<char>(name.front() - 'a' + 'A');
  return name;
}

Result<Guess> guess_of(const Value& value, int depth);

Result<Guess> guess_of_list(const json::Array& items, int depth) {
  if (items.empty()) return Guess{};
  Guess element;
  for (std::size_t i = 0; i < items.size(); ++i) {
    auto guess = guess_of(items[i], depth + 1);
    if (!guess) return std::unexpected(std::move(guess).error().in("[" + std::to_string(i) + "]"));
    element = common(std::move(element), *std::move(guess));
  }
  return Guess{.kind = Guess::Kind::list, .element = {std::move(element)}};
}

// "NAME:TYPE" or "NAME".
std::string field_name(const std::string& key) { return capital(key.substr(0, key.find(':'))); }

Result<Guess> guess_of_field(const std::string& key, const Value& value, int depth) {
  const std::size_t colon = key.find(':');
  if (!is_field_name(std::string_view(key).substr(0, colon)))
    return fail(Errc::invalid_params, "\"" + key +
                                          "\" can be no field of a Go struct; a map is said with its field, "
                                          "\"NAME:map[string]int\", or by the type of the whole");
  if (colon != std::string::npos) return Guess{.kind = Guess::Kind::said, .said = key.substr(colon + 1)};
  PARLANCE_TRY(guess, guess_of(value, depth));
  // An empty object may be a map or a struct; the zero value fits both.
  return guess.kind == Guess::Kind::structure && guess.fields.empty() ? Guess{} : guess;
}

Result<Guess> guess_of_object(const json::Object& object, int depth) {
  Guess guess{.kind = Guess::Kind::structure};
  for (const auto& [key, member] : object.members) {
    auto field = guess_of_field(key, member, depth + 1);
    if (!field) return std::unexpected(std::move(field).error().in(key));
    const std::string name = field_name(key);
    if (std::ranges::find(guess.fields, name, &Guess::Field::first) != guess.fields.end())
      return fail(Errc::invalid_params, "two fields are called " + name);
    guess.fields.emplace_back(name, *std::move(field));
  }
  return guess;
}

Result<Guess> guess_of(const Value& value, int depth) {
  if (depth > limits::gob_depth) return fail(Errc::invalid_params, "nested too deeply");
  if (value.is_null()) return Guess{};
  if (value.boolean() != nullptr) return Guess{.kind = Guess::Kind::boolean};
  if (value.text() != nullptr) return Guess{.kind = Guess::Kind::text};
  if (value.array() != nullptr) return guess_of_list(*value.array(), depth);
  if (value.object() != nullptr) return guess_of_object(*value.object(), depth);
  if (std::holds_alternative<double>(value.data)) return Guess{.kind = Guess::Kind::real};
  std::int64_t whole = 0;
  return Guess{.kind = value.integer(whole) ? Guess::Kind::integer : Guess::Kind::unsigned_integer};
}

// The form for the writer: fields by name, without fields outside the type. Interface values stay unchanged.
Value fitted(const Value& value, const Guess& guess) {
  if (guess.kind == Guess::Kind::list && value.array() != nullptr) {
    json::Array items;
    for (const Value& item : *value.array()) items.push_back(fitted(item, guess.element.front()));
    return items;
  }
  if (guess.kind != Guess::Kind::structure || value.object() == nullptr) return value;
  json::Object fields;
  for (const auto& [key, member] : value.object()->members) {
    const std::string name = field_name(key);
    const auto field = std::ranges::find(guess.fields, name, &Guess::Field::first);
    if (field != guess.fields.end() && field->second.kind != Guess::Kind::nothing)
      fields.set(name, fitted(member, field->second));
  }
  return fields;
}

}  // namespace

Result<Inferred> infer(const Value& value) {
  PARLANCE_TRY(guess, guess_of(value, 0));
  if (guess.kind == Guess::Kind::nothing)
    return fail(Errc::invalid_params, "of null and of an empty list no type can be told; say the type");
  return Inferred{.type = type_of(guess), .value = fitted(value, guess)};
}

}  // namespace parlance::gob
