// SPDX-License-Identifier: Apache-2.0
// Exact rows in memory, for callers that avoid a database read at each search. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "parlance/memory/vector/numbered_slots.h"
#include "parlance/memory/vector/vector_index.h"

namespace parlance::memory {

class ExactRowsInMemory final : public ExactRows {
 public:
  explicit ExactRowsInMemory(std::size_t dimension);

  void set(std::int64_t number, std::span<const float> row);  // adds or replaces
  bool remove(std::int64_t number);                           // false: it was not there
  void clear();
  std::size_t size() const { return slots_.slots(); }
  std::size_t bytes() const;

  void read(std::span<const std::int64_t> numbers, std::span<float> out) override;

 private:
  float* row(std::uint32_t slot) const { return blocks_[slot / block_rows_].get() + slot % block_rows_ * dimension_; }

  std::size_t dimension_;
  std::size_t block_rows_;
  NumberedSlots slots_;
  std::vector<std::unique_ptr<float[]>> blocks_;
};

}  // namespace parlance::memory
