// SPDX-License-Identifier: Apache-2.0
// A cache of database rows by number for the next searches, limited to `most_bytes`. Only `trim` evicts, so results of `find` and
// `keep` stay valid until then. Eviction uses the CLOCK algorithm: `find` marks an entry, and a marked entry survives one round
// of the hand. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace parlance::store {

template <class T>
class KeptByNumber {
 public:
  explicit KeptByNumber(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  T* find(std::int64_t number) {
    const auto found = kept_.find(number);
    if (found == kept_.end()) return nullptr;
    found->second.met = true;
    return &found->second.value;
  }
  // `bytes`: approximate total size. Precondition: no entry for the number.
  T& keep(std::int64_t number, T value, std::size_t bytes) {
    const std::size_t place = free_place();
    One& kept = kept_.try_emplace(number, number, bytes + bookkeeping_bytes, place, std::move(value)).first->second;
    round_[place] = &kept;
    bytes_ += kept.bytes;
    return kept.value;
  }
  // Adds `bytes` to the entry's size.
  void grew(std::int64_t number, std::size_t bytes) {
    if (const auto found = kept_.find(number); found != kept_.end()) {
      found->second.bytes += bytes;
      bytes_ += bytes;
    }
  }
  void drop(std::int64_t number) {
    if (const auto found = kept_.find(number); found != kept_.end()) drop(found->second);
  }
  void trim() {
    while (bytes_ > most_bytes_) {
      if (hand_ >= round_.size()) hand_ = 0;
      One* const kept = round_[hand_++];
      if (kept != nullptr && !std::exchange(kept->met, false)) drop(*kept);
    }
  }
  void clear() {
    round_.clear();
    free_.clear();
    kept_.clear();
    bytes_ = hand_ = 0;
  }
  std::size_t size() const { return kept_.size(); }
  std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t bookkeeping_bytes = 64;  // the map's node and its slot in the round
  struct One {
    One(std::int64_t n, std::size_t b, std::size_t p, T v) : number(n), bytes(b), place(p), value(std::move(v)) {}
    std::int64_t number;
    std::size_t bytes;
    std::size_t place;  // index in round_
    bool met = false;
    T value;
  };
  // Usually a slot behind the hand, so a new entry survives a whole round.
  std::size_t free_place() {
    if (free_.empty()) {
      round_.push_back(nullptr);
      return round_.size() - 1;
    }
    const std::size_t place = free_.back();
    free_.pop_back();
    return place;
  }
  void drop(One& kept) {
    bytes_ -= kept.bytes;
    round_[kept.place] = nullptr;
    free_.push_back(kept.place);
    kept_.erase(kept.number);
  }

  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  std::unordered_map<std::int64_t, One> kept_;  // node-based: pointers stay valid
  std::vector<One*> round_;                     // null: a free slot
  std::vector<std::size_t> free_;
  std::size_t hand_ = 0;
};

}  // namespace parlance::store
