// SPDX-License-Identifier: Apache-2.0
// Maps numbers of rows to slots of an array, and back: 12 to 30 bytes a row, where std::unordered_map takes 56. One thread at a
// time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace parlance::memory {

class NumberedSlots {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::uint32_t find(std::int64_t number) const;  // Empty: no slot.
  std::uint32_t append(std::int64_t number);      // The next slot; the number had none.
  void reserve(std::size_t slots);                // Reserves space for this total.
  void forget(std::int64_t number);               // Its slot stays and is free.
  // Moves the number of `from` to the free slot `to`; afterwards `from` is free.
  void move(std::uint32_t from, std::uint32_t to);
  void drop_last();  // Which is free.

  std::size_t slots() const { return numbers_.size(); }
  std::int64_t number(std::uint32_t slot) const { return numbers_[slot]; }  // Undefined for a free slot.
  std::size_t bytes() const { return numbers_.capacity() * sizeof(std::int64_t) + table_.capacity() * sizeof(std::uint32_t); }

 private:
  std::size_t home(std::int64_t number) const;
  std::size_t place(std::int64_t number) const;  // Position in table_: of its slot, or the empty position for it.
  void grow();
  void rehash(std::size_t places);

  std::vector<std::int64_t> numbers_;  // By slot.
  // Slots at home(number) or the next free position after it; the size is a power of two, never full.
  std::vector<std::uint32_t> table_;
  std::size_t used_ = 0;
};

}  // namespace parlance::memory
