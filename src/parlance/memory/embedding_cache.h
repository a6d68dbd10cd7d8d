// SPDX-License-Identifier: Apache-2.0
// The vectors of texts that were embedded before, by the hash of the text: an embedder that costs a network's way is asked once.
// The least recently used go when the bytes are full. Belongs to one embedder: what it holds is all of one kind. Loop thread only.
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

  // Good until the next `put` or `clear`; null when it is not there.
  const Vector* find(std::string_view text);
  void put(std::string_view text, Vector vector);
  void clear();

  std::size_t size() const { return order_.size(); }
  std::size_t bytes() const { return bytes_; }  // with what keeping an entry costs

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
  std::list<Entry> order_;  // most recently used first
  std::unordered_map<Key, std::list<Entry>::iterator, KeyHash> entries_;
};

}  // namespace parlance::memory
