// SPDX-License-Identifier: Apache-2.0
// A bounded map that keeps the newest values: above the limit, a new value replaces the oldest value. Each change scans all
// keys, so the limit must be small. One thread at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace parlance {

template <class T>
class Newest {
 public:
  explicit Newest(std::size_t most) : most_(most) {}  // `most`: number of values; 0 keeps none.

  // Stores the value as the newest value, in place of an earlier value of the key.
  void keep(std::string key, T value) {
    std::erase(order_, key);
    order_.push_back(key);
    values_.insert_or_assign(std::move(key), std::move(value));
    for (; order_.size() > most_; order_.pop_front()) values_.erase(order_.front());
  }
  // Null: the key is unknown, or its value was taken or replaced. Valid until the next change.
  const T* find(std::string_view key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? nullptr : &found->second;
  }
  // Removes the value and returns it. No value: as for `find`.
  std::optional<T> take(std::string_view key) {
    const auto found = values_.find(key);
    if (found == values_.end()) return std::nullopt;
    std::optional<T> value = std::move(found->second);
    std::erase(order_, key);
    values_.erase(found);
    return value;
  }

 private:
  std::size_t most_;
  std::map<std::string, T, std::less<>> values_;
  std::deque<std::string> order_;  // keys, oldest first
};

}  // namespace parlance
