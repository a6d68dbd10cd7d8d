// SPDX-License-Identifier: Apache-2.0
// Which slot of an array a row has that others know by its number, and back: 12 to 30 bytes a row, where std::unordered_map takes 56.
// One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace parlance::memory {

class NumberedSlots {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::uint32_t find(std::int64_t number) const;  // none: it has no slot
  std::uint32_t append(std::int64_t number);      // the next slot; the number had none
  void reserve(std::size_t slots);                // room for so many in all
  void forget(std::int64_t number);               // its slot stays, as nobody's
  // The number of `from` moves to `to`, which is nobody's; then `from` is.
  void move(std::uint32_t from, std::uint32_t to);
  void drop_last();  // which is nobody's

  std::size_t slots() const { return numbers_.size(); }
  std::int64_t number(std::uint32_t slot) const { return numbers_[slot]; }  // meaningless for one that is nobody's
  std::size_t bytes() const { return numbers_.capacity() * sizeof(std::int64_t) + table_.capacity() * sizeof(std::uint32_t); }

 private:
  std::size_t home(std::int64_t number) const;
  std::size_t place(std::int64_t number) const;  // in table_: of its slot, or the empty one where it belongs
  void grow();
  void rehash(std::size_t places);

  std::vector<std::int64_t> numbers_;  // by slot
  std::vector<std::uint32_t> table_;   // slots at home(number) or the next free place behind it; a power of two, never full
  std::size_t used_ = 0;
};

}  // namespace parlance::memory
