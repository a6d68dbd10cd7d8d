// SPDX-License-Identifier: Apache-2.0
// Vectors of earlier texts by the hash of the text, so that a text crosses the network once. A full cache removes the least
// recently used entries. Belongs to one embedder: all its vectors are of one kind. Loop thread only.
#pragma once

#include <array>
#include <cstddef>
#include <list>
#include <string_view>
#include <unordered_map>

#include "parlance/memory/embedder.h"
#include "parlance/memory/limits.h"

namespace parlance::memory {

class EmbeddingCache {
 public:
  explicit EmbeddingCache(std::size_t bytes = limits::embedding_cache_bytes) : most_bytes_(bytes) {}

  // Valid until the next `put` or `clear`; null: not cached.
  const Vector* find(std::string_view text);
  void put(std::string_view text, Vector vector);
  void clear();

  std::size_t size() const { return order_.size(); }
  std::size_t bytes() const { return bytes_; }  // With the overhead of an entry.

 private:
  using Key = std::array<unsigned char, 32>;
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  struct Entry {
    Key key;
    Vector vector;
  };
  static Key key_of(std::string_view text);
  static std::size_t cost_of(const Vector& vector);
  void drop_last();

  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  std::list<Entry> order_;  // Most recently used first.
  std::unordered_map<Key, std::list<Entry>::iterator, KeyHash> entries_;
};

}  // namespace parlance::memory
