// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/embedding_cache.h"

#include <cstring>
#include <utility>

#include "parlance/base/sha256.h"

namespace parlance::memory {
namespace {

// The nodes of the list and the map, with the overhead of the allocator.
constexpr std::size_t bookkeeping_bytes = 160;

}  // namespace

std::size_t EmbeddingCache::KeyHash::operator()(const Key& key) const {
  std::size_t hash = 0;
  std::memcpy(&hash, key.data(), sizeof hash);
  return hash;
}

EmbeddingCache::Key EmbeddingCache::key_of(std::string_view text) { return Sha256().add(text).finish(); }

std::size_t EmbeddingCache::cost_of(const Vector& vector) { return vector.size() * sizeof(float) + bookkeeping_bytes; }

const Vector* EmbeddingCache::find(std::string_view text) {
  const auto found = entries_.find(key_of(text));
  if (found == entries_.end()) return nullptr;
  order_.splice(order_.begin(), order_, found->second);
  return &found->second->vector;
}

void EmbeddingCache::put(std::string_view text, Vector vector) {
  const Key key = key_of(text);
  if (const auto found = entries_.find(key); found != entries_.end()) {
    bytes_ -= cost_of(found->second->vector);
    order_.erase(found->second);
    entries_.erase(found);
  }
  const std::size_t cost = cost_of(vector);
  if (cost > most_bytes_) return;
  order_.push_front({.key = key, .vector = std::move(vector)});
  entries_.emplace(key, order_.begin());
  bytes_ += cost;
  while (bytes_ > most_bytes_) drop_last();
}

void EmbeddingCache::drop_last() {
  bytes_ -= cost_of(order_.back().vector);
  entries_.erase(order_.back().key);
  order_.pop_back();
}

void EmbeddingCache::clear() {
  entries_.clear();
  order_.clear();
  bytes_ = 0;
}

}  // namespace parlance::memory
