#include "codec/gob/type_table.h"

#include <algorithm>
#include <limits>

namespace parlance::gob {
namespace {

// A type of more parts is not looked through: it costs a walk over each value, but no sender can make us search for long.
constexpr std::size_t most_parts = 64;

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

bool TypeTable::holds_no_interface(TypeId id) {
  Entry* const root = entry(id);
  if (root == nullptr) return is_builtin(id) && id != id_interface;
  const auto known = static_cast<std::int32_t>(entries_.size());
  if (root->no_interface == yes || root->no_interface == known) return root->no_interface == yes;

  root->no_interface = known;
  std::vector<const Definition*> seen{root->definition};  // types may hold themselves
  const auto may_hold = [&](TypeId part) {
    if (is_builtin(part)) return part == id_interface;
    const Definition* definition = find(part);
    if (definition == nullptr) return true;
    if (std::ranges::find(seen, definition) == seen.end()) seen.push_back(definition);
    return seen.size() > most_parts;
  };
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const Definition& definition = *seen[i];
    for (const Definition::Field& field : definition.fields)
      if (may_hold(field.type)) return false;
    const bool has_elements = definition.shape != Shape::structure && definition.shape != Shape::opaque;
    if (has_elements && may_hold(definition.element)) return false;
    if (definition.shape == Shape::map && may_hold(definition.key)) return false;
  }
  root->no_interface = yes;
  return true;
}

std::string TypeTable::describe(TypeId id) const {
  if (is_builtin(id)) return std::string(builtin_name(id));
  const Definition* definition = find(id);
  if (definition == nullptr) return "undefined type " + std::to_string(id);
  if (!definition->name().empty()) return std::string(definition->name());
  return std::string(name_of(definition->shape)) + " " + std::to_string(id);
}

}  // namespace parlance::gob
