// SPDX-License-Identifier: Apache-2.0
// int8 rows in blocks that never move: a thread that was given a view may read rows while their owner appends others. One thread at
// a time, but for views.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "parlance/memory/vector/numbered_slots.h"
#include "parlance/memory/vector/vector_scan.h"

namespace parlance::memory {

// A whole number of registers long, zeros behind the last component.
constexpr std::size_t row_length(std::size_t dimension) {
  return (dimension + vector_register_bytes - 1) / vector_register_bytes * vector_register_bytes;
}

template <class T>
struct AlignedFree {
  void operator()(T* at) const { ::operator delete(at, std::align_val_t{vector_register_bytes}); }
};
template <class T>
using AlignedArray = std::unique_ptr<T[], AlignedFree<T>>;
// Not initialised.
template <class T>
AlignedArray<T> aligned_array(std::size_t count) {
  return AlignedArray<T>(static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t{vector_register_bytes})));
}

struct RowBlock {
  std::int8_t* bytes = nullptr;  // all rows, one behind the other
  float* scales = nullptr;
  std::uint8_t* groups = nullptr;
};

// The rows that were there when it was taken. Their bytes and scales stay as they are while their owner is told not to change them.
struct RowView {
  std::vector<RowBlock> blocks{};
  std::size_t length = 0;  // of a row, in bytes
  std::uint32_t rows = 0;
  unsigned shift = 0;  // slot >> shift is its block

  const std::int8_t* bytes(std::uint32_t slot) const { return blocks[slot >> shift].bytes + inside(slot) * length; }
  float scale(std::uint32_t slot) const { return blocks[slot >> shift].scales[inside(slot)]; }
  std::uint8_t group(std::uint32_t slot) const { return blocks[slot >> shift].groups[inside(slot)]; }
  std::size_t inside(std::uint32_t slot) const { return slot & ((std::size_t{1} << shift) - 1); }
  std::size_t block_rows() const { return std::size_t{1} << shift; }
};

class VectorRows {
 public:
  static constexpr std::uint8_t dead = 255;  // the group of a slot that is nobody's

  explicit VectorRows(std::size_t dimension);

  std::uint32_t find(std::int64_t number) const { return slots_.find(number); }
  std::int64_t number(std::uint32_t slot) const { return slots_.number(slot); }

  // Room for so many rows in all, taken in large pieces: one fault of a huge page instead of hundreds.
  void reserve(std::size_t rows);
  void append(std::int64_t number, std::span<const std::int8_t> bytes, float scale, std::uint8_t group);
  void write(std::uint32_t slot, std::span<const std::int8_t> bytes, float scale, std::uint8_t group);
  bool holds(std::uint32_t slot, std::span<const std::int8_t> bytes, float scale) const;
  void set_group(std::uint32_t slot, std::uint8_t group) { view_.blocks[slot >> view_.shift].groups[view_.inside(slot)] = group; }
  void kill(std::uint32_t slot);    // Its bytes stay.
  void remove(std::uint32_t slot);  // The last row takes its place; that one must not be dead.
  void remove_dead();               // Live ones from the end take their places.

  std::size_t dimension() const { return dimension_; }
  std::uint32_t slots() const { return view_.rows; }
  std::uint32_t dead_slots() const { return dead_; }
  const RowView& view() const { return view_; }
  std::size_t bytes() const;

 private:
  std::size_t block_stride() const;  // bytes from one block of a piece to the next
  void add_block();
  void copy(std::uint32_t from, std::uint32_t to);
  void drop_last();

  std::size_t dimension_;
  NumberedSlots slots_;
  RowView view_;
  std::vector<AlignedArray<std::int8_t>> memory_;  // of view_.blocks; of a piece at its first block, the others have none
  std::size_t reserved_blocks_ = 0;
  std::int8_t* piece_ = nullptr;  // the rest of the last piece
  std::size_t piece_blocks_ = 0;
  std::uint32_t dead_ = 0;
};

}  // namespace parlance::memory
