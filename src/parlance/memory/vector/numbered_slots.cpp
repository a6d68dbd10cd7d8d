// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/vector/numbered_slots.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "parlance/base/check.h"

namespace parlance::memory {

std::size_t NumberedSlots::home(std::int64_t number) const {
  // Row numbers are consecutive: the multiplier spreads each number over all bits, and the highest bits count.
  const std::uint64_t spread = static_cast<std::uint64_t>(number) * 0x9E3779B97F4A7C15U;
  return static_cast<std::size_t>(spread >> (64 - std::bit_width(table_.size() - 1)));
}

std::size_t NumberedSlots::place(std::int64_t number) const {
  std::size_t at = home(number);
  while (table_[at] != none && numbers_[table_[at]] != number) at = (at + 1) & (table_.size() - 1);
  return at;
}

std::uint32_t NumberedSlots::find(std::int64_t number) const { return used_ == 0 ? none : table_[place(number)]; }

std::uint32_t NumberedSlots::append(std::int64_t number) {
  if ((used_ + 1) * 4 > table_.size() * 3) grow();
  PARLANCE_CHECK(numbers_.size() < none, "fewer rows than 32 bits can count");
  const std::size_t at = place(number);
  PARLANCE_CHECK(table_[at] == none, "a number has one slot");
  table_[at] = static_cast<std::uint32_t>(numbers_.size());
  numbers_.push_back(number);
  ++used_;
  return table_[at];
}

void NumberedSlots::forget(std::int64_t number) {
  if (used_ == 0) return;
  std::size_t hole = place(number);
  if (table_[hole] == none) return;
  table_[hole] = none;
  --used_;
  // Entries behind the hole that could use the hole move there; otherwise a search would miss them.
  const std::size_t mask = table_.size() - 1;
  for (std::size_t at = (hole + 1) & mask; table_[at] != none; at = (at + 1) & mask) {
    const std::size_t wanted = home(numbers_[table_[at]]);
    if (((at - wanted) & mask) < ((at - hole) & mask)) continue;
    table_[hole] = table_[at];
    table_[at] = none;
    hole = at;
  }
}

void NumberedSlots::move(std::uint32_t from, std::uint32_t to) {
  table_[place(numbers_[from])] = to;
  numbers_[to] = numbers_[from];
}

void NumberedSlots::drop_last() { numbers_.pop_back(); }

void NumberedSlots::grow() { rehash(table_.empty() ? 16 : table_.size() * 2); }

void NumberedSlots::reserve(std::size_t slots) {
  numbers_.reserve(slots);
  // Never more than three quarters full.
  if (const std::size_t places = std::bit_ceil(slots * 4 / 3 + 2); places > std::max<std::size_t>(table_.size(), 16))
    rehash(places);
}

void NumberedSlots::rehash(std::size_t places) {
  const std::vector<std::uint32_t> before = std::move(table_);
  table_.assign(places, none);
  for (const std::uint32_t slot : before) {
    if (slot != none) table_[place(numbers_[slot])] = slot;
  }
}

}  // namespace parlance::memory
