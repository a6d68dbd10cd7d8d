// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of this folder: the connections and sockets that a server owns. Loop thread only.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace parlance {

// Things with a place of their own in a vector: adding and removing take no search and no list node.
template <class T>
class Slots {
 public:
  T& add(std::unique_ptr<T> item) {
    item->slot = items_.size();
    items_.push_back(std::move(item));
    return *items_.back();
  }
  std::unique_ptr<T> take(T& item) {
    const std::size_t at = item.slot;
    std::swap(items_[at], items_.back());
    items_[at]->slot = at;
    std::unique_ptr<T> taken = std::move(items_.back());
    items_.pop_back();
    return taken;
  }
  // `visit` may add, but not take.
  template <class F>
  void each(F visit) {
    for (std::size_t i = 0; i < items_.size(); ++i) visit(*items_[i]);
  }
  bool empty() const { return items_.empty(); }
  T& last() { return *items_.back(); }

 private:
  std::vector<std::unique_ptr<T>> items_;
};

}  // namespace parlance
