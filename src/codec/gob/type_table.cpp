#include "codec/gob/type_table.h"

#include <algorithm>
#include <limits>

namespace parlance::gob {

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
  entries_.insert(place, Entry{own_id, pool_->acquire(bytes, std::move(parsed))});
  return {};
}

std::string TypeTable::describe(TypeId id) const {
  if (is_builtin(id)) return std::string(builtin_name(id));
  const Definition* definition = find(id);
  if (definition == nullptr) return "undefined type " + std::to_string(id);
  if (!definition->name().empty()) return std::string(definition->name());
  return std::string(name_of(definition->shape)) + " " + std::to_string(id);
}

}  // namespace parlance::gob
