// What was read from the database for a memory, by its number, kept for the next search that meets it: those that were used last, as
// far as `most_bytes` go. Room is made by `trim` alone, so what `find` and `keep` hand out stays until then. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <unordered_map>
#include <utility>

namespace parlance::store {

template <class T>
class KeptByNumber {
 public:
  explicit KeptByNumber(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  T* find(std::int64_t number) {
    const auto found = places_.find(number);
    if (found == places_.end()) return nullptr;
    order_.splice(order_.begin(), order_, found->second);
    return &found->second->value;
  }
  // `bytes`: about what it takes, all told. The number has none yet.
  T& keep(std::int64_t number, T value, std::size_t bytes) {
    order_.push_front({.number = number, .bytes = bytes + bookkeeping_bytes, .value = std::move(value)});
    places_.emplace(number, order_.begin());
    bytes_ += order_.front().bytes;
    return order_.front().value;
  }
  void drop(std::int64_t number) {
    if (const auto found = places_.find(number); found != places_.end()) drop(found->second);
  }
  void trim() {
    while (bytes_ > most_bytes_) drop(std::prev(order_.end()));
  }
  void clear() {
    order_.clear();
    places_.clear();
    bytes_ = 0;
  }
  std::size_t size() const { return places_.size(); }

 private:
  static constexpr std::size_t bookkeeping_bytes = 96;  // the list's and the map's nodes
  struct One {
    std::int64_t number = 0;
    std::size_t bytes = 0;
    T value;
  };
  using Order = std::list<One>;
  void drop(typename Order::iterator one) {
    bytes_ -= one->bytes;
    places_.erase(one->number);
    order_.erase(one);
  }

  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  Order order_;  // the last used first
  std::unordered_map<std::int64_t, typename Order::iterator> places_;
};

}  // namespace parlance::store
