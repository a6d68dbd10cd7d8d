// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/vector/exact_rows.h"

#include <algorithm>

#include "parlance/base/check.h"

namespace parlance::memory {
namespace {
constexpr std::size_t block_bytes = 256 << 10;
}

ExactRowsInMemory::ExactRowsInMemory(std::size_t dimension)
    : dimension_(dimension), block_rows_(std::max<std::size_t>(block_bytes / (dimension * sizeof(float)), 1)) {}

void ExactRowsInMemory::set(std::int64_t number, std::span<const float> from) {
  PARLANCE_CHECK(from.size() == dimension_, "a row of this dimension");
  std::uint32_t slot = slots_.find(number);
  if (slot == NumberedSlots::none) {
    slot = slots_.append(number);
    if (slot / block_rows_ == blocks_.size())
      blocks_.push_back(std::make_unique_for_overwrite<float[]>(block_rows_ * dimension_));
  }
  std::ranges::copy(from, row(slot));
}

bool ExactRowsInMemory::remove(std::int64_t number) {
  const std::uint32_t slot = slots_.find(number);
  if (slot == NumberedSlots::none) return false;
  const auto last = static_cast<std::uint32_t>(slots_.slots() - 1);
  slots_.forget(number);
  if (slot != last) {
    std::copy_n(row(last), dimension_, row(slot));
    slots_.move(last, slot);
  }
  slots_.drop_last();
  // One empty block is kept for the next row.
  while (blocks_.size() > (slots_.slots() + block_rows_ - 1) / block_rows_ + 1) blocks_.pop_back();
  return true;
}

void ExactRowsInMemory::clear() { *this = ExactRowsInMemory(dimension_); }

std::size_t ExactRowsInMemory::bytes() const {
  return sizeof *this + slots_.bytes() + blocks_.size() * block_rows_ * dimension_ * sizeof(float) +
         blocks_.capacity() * sizeof(blocks_[0]);
}

void ExactRowsInMemory::read(std::span<const std::int64_t> numbers, std::span<float> out) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::uint32_t slot = slots_.find(numbers[i]);
    if (slot != NumberedSlots::none)
      std::copy_n(row(slot), dimension_, out.begin() + static_cast<std::ptrdiff_t>(i * dimension_));
  }
}

}  // namespace parlance::memory
