// SPDX-License-Identifier: Apache-2.0
// The candidates of a scan, for an exact measurement. Each has a key; the highest keys are kept, and among equal keys the lowest
// slots. One thread at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace parlance::memory {

class Shortlist {
 public:
  struct Candidate {
    float key = 0;
    std::uint32_t slot = 0;
  };

  explicit Shortlist(std::size_t width) : width_(width) { candidates_.reserve(2 * width); }

  void offer(float key, std::uint32_t slot) {
    if (!(key > least_)) return;
    candidates_.push_back({key, slot});
    if (candidates_.size() == 2 * width_) shrink();
  }

  // Keys up to this are rejected.
  float least() const { return least_; }

  // After the last offer: the kept candidates, in any order.
  const std::vector<Candidate>& cut() {
    if (candidates_.size() > width_) shrink();
    return candidates_;
  }
  // Or: removes them in order, highest key first.
  void close() {
    cut();
    std::make_heap(candidates_.begin(), candidates_.end(), after);
  }
  float left_out() const { return least_; }  // No row outside of the list has a higher key; -infinity: all rows are in it.
  bool empty() const { return candidates_.empty(); }
  float next_key() const { return candidates_.front().key; }
  Candidate take() {
    std::pop_heap(candidates_.begin(), candidates_.end(), after);
    const Candidate taken = candidates_.back();
    candidates_.pop_back();
    return taken;
  }

 private:
  static bool before(const Candidate& a, const Candidate& b) { return a.key != b.key ? a.key > b.key : a.slot < b.slot; }
  static bool after(const Candidate& a, const Candidate& b) { return before(b, a); }

  void shrink() {
    std::nth_element(candidates_.begin(), candidates_.begin() + static_cast<std::ptrdiff_t>(width_ - 1), candidates_.end(),
                     before);
    candidates_.resize(width_);
    least_ = candidates_.back().key;
  }

  std::size_t width_;
  float least_ = -std::numeric_limits<float>::infinity();  // Keys up to this are not among the `width` highest.
  std::vector<Candidate> candidates_;
};

}  // namespace parlance::memory
