// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/gob/type_table.h"

#include <algorithm>
#include <limits>

namespace parlance::gob {
namespace {

// A type of more parts is not looked through: it costs a walk over each value, but no sender can make us search for long.
constexpr std::size_t most_parts = 64;

struct Nesting {
  const TypeTable& types;
  std::vector<std::pair<const Definition*, int>>
      seen{};  // and how deep it is; `open` while it is looked at: then it holds itself

  int levels(TypeId id) {
    if (is_builtin(id)) return id == id_interface ? TypeTable::open : 0;
    const Definition* definition = types.find(id);
    if (definition == nullptr) return TypeTable::open;
    for (const auto& [known, levels] : seen)
      if (known == definition) return levels;
    if (seen.size() >= most_parts) return TypeTable::open;
    const std::size_t place = seen.size();
    seen.emplace_back(definition, TypeTable::open);
    const int deepest = deepest_part(*definition);
    if (deepest != TypeTable::open) seen[place].second = deepest + 1;
    return seen[place].second;
  }

  int deepest_part(const Definition& definition) {
    int deepest = 0;
    const auto is_closed = [&](TypeId part) {
      const int below = levels(part);
      deepest = std::max(deepest, below);
      return below != TypeTable::open;
    };
    bool closed = true;
    switch (definition.shape) {
      case Shape::structure: closed = std::ranges::all_of(definition.fields, is_closed, &Definition::Field::type); break;
      case Shape::map: closed = is_closed(definition.key) && is_closed(definition.element); break;
      case Shape::slice: closed = is_closed(definition.element); break;
      case Shape::array: closed = false; break;  // the walk compares lengths
      case Shape::opaque: break;
    }
    return closed ? deepest : TypeTable::open;
  }
};

}  // namespace

std::string TypeTable::define(std::int64_t id, Cursor& cursor, const Limits& limits) {
  if (id < first_own_id || id > std::numeric_limits<TypeId>::max())
    return "gob: definition of a type id that is not the sender's to define";
  const auto own_id = static_cast<TypeId>(id);
  const auto place = std::lower_bound(entries_.begin(), entries_.end(), own_id,
                                      [](const Entry& entry, TypeId wanted) { return entry.id < wanted; });
  if (place != entries_.end() && place->id == own_id) return "gob: duplicate type received";
  if (entries_.size() >= limits.types) return "gob: too many types on one stream";

  const BytesView rest = cursor.rest();
  Definition parsed;
  if (!parsed.parse(cursor, limits)) return cursor.fault();
  const BytesView bytes = rest.substr(0, rest.size() - cursor.left());
  if (definition_bytes_ + bytes.size() > limits.definition_bytes) return "gob: type definitions too long";
  definition_bytes_ += bytes.size();
  entries_.insert(place, Entry{.id = own_id, .definition = pool_->acquire(bytes, std::move(parsed))});
  return {};
}

int TypeTable::levels(TypeId id) const {
  const Entry* const root = entry(id);
  if (root == nullptr) return Nesting{*this}.levels(id);
  if (root->levels == open && root->types_known != entries_.size()) {
    root->levels = static_cast<std::int16_t>(Nesting{*this}.levels(id));
    root->types_known = static_cast<std::uint16_t>(entries_.size());
  }
  return root->levels;
}

std::string TypeTable::describe(TypeId id) const {
  if (is_builtin(id)) return std::string(builtin_name(id));
  const Definition* definition = find(id);
  if (definition == nullptr) return "undefined type " + std::to_string(id);
  if (!definition->name().empty()) return std::string(definition->name());
  return std::string(name_of(definition->shape)) + " " + std::to_string(id);
}

}  // namespace parlance::gob
