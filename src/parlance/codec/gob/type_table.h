// SPDX-License-Identifier: Apache-2.0
// The types received on a stream: id -> definition. One thread at a time.
#pragma once

#include <memory>
#include <vector>

#include "parlance/codec/gob/type_pool.h"

namespace parlance::gob {

class TypeTable {
 public:
  TypeTable(std::shared_ptr<TypePool> pool) : pool_(std::move(pool)) {}
  TypeTable(const TypeTable&) = delete;
  TypeTable& operator=(const TypeTable&) = delete;
  ~TypeTable() {
    for (const Entry& entry : entries_) pool_->release(entry.definition);
  }

  const Definition* find(TypeId id) const {
    const Entry* found = entry(id);
    return found != nullptr ? found->definition : nullptr;
  }

  // Reads the definition of `id` at the cursor. Returns an empty text after success, otherwise the reason of a broken stream.
  std::string define(std::int64_t id, Cursor& cursor, const Limits& limits);

  // The nesting depth of values of this type, or `open`. `open`: the type contains an interface value, itself, or an unknown type, so
  // that values decide about the depth. Cached.
  int levels(TypeId id) const;
  static constexpr int open = -1;

  std::size_t size() const { return entries_.size(); }
  std::size_t memory_bytes() const { return entries_.capacity() * sizeof(Entry); }
  TypePool& pool() const { return *pool_; }
  // Name of a type in messages: "int", "[]string", "ChatArgs", "struct 66".
  std::string describe(TypeId id) const;

 private:
  struct Entry {
    TypeId id;
    mutable std::int16_t levels = open;
    mutable std::uint16_t types_known = 0;  // size of the table when `levels` was found to be open; a larger table may close it
    const Definition* definition;
  };
  const Entry* entry(TypeId id) const {
    if (entries_.empty()) return nullptr;
    // Go numbers the types of a program in sequence, so most types are at their distance from the first. (A Chat needs ten
    // lookups; the search alone took a twentieth of its instructions.)
    const TypeId first = entries_.front().id;
    if (id < first) return nullptr;
    const auto guess = static_cast<std::size_t>(id - first);
    if (guess < entries_.size() && entries_[guess].id == id) return &entries_[guess];
    std::size_t from = 0;
    std::size_t count = entries_.size();
    while (count > 0) {
      const std::size_t half = count / 2;
      if (entries_[from + half].id < id) {
        from += half + 1;
        count -= half + 1;
      } else {
        count = half;
      }
    }
    return from < entries_.size() && entries_[from].id == id ? &entries_[from] : nullptr;
  }

  std::shared_ptr<TypePool> pool_;
  std::vector<Entry> entries_;  // In the order of ids.
  std::size_t definition_bytes_ = 0;
};

}  // namespace parlance::gob
