// SPDX-License-Identifier: Apache-2.0
// int8 rows in blocks that never move: a thread with a view may read rows while their owner appends others. One thread at a
// time, except for views.
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

// A whole number of registers long, with zeros after the last component.
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
  std::int8_t* bytes = nullptr;  // All rows in sequence.
  float* scales = nullptr;
  std::uint8_t* groups = nullptr;
};

// The rows at the time of its creation. Their bytes and scales stay unchanged by agreement with the owner.
struct RowView {
  std::vector<RowBlock> blocks{};
  std::size_t length = 0;  // Bytes of a row.
  std::uint32_t rows = 0;
  unsigned shift = 0;  // slot >> shift is its block.

  const std::int8_t* bytes(std::uint32_t slot) const { return blocks[slot >> shift].bytes + inside(slot) * length; }
  float scale(std::uint32_t slot) const { return blocks[slot >> shift].scales[inside(slot)]; }
  std::uint8_t group(std::uint32_t slot) const { return blocks[slot >> shift].groups[inside(slot)]; }
  std::size_t inside(std::uint32_t slot) const { return slot & ((std::size_t{1} << shift) - 1); }
  std::size_t block_rows() const { return std::size_t{1} << shift; }
};

class VectorRows {
 public:
  static constexpr std::uint8_t dead = 255;  // Group of a free slot.

  explicit VectorRows(std::size_t dimension);

  std::uint32_t find(std::int64_t number) const { return slots_.find(number); }
  std::int64_t number(std::uint32_t slot) const { return slots_.number(slot); }

  // Reserves space for this total, in large pieces: a single fault of a huge page in place of hundreds.
  void reserve(std::size_t rows);
  void append(std::int64_t number, std::span<const std::int8_t> bytes, float scale, std::uint8_t group);
  void write(std::uint32_t slot, std::span<const std::int8_t> bytes, float scale, std::uint8_t group);
  bool holds(std::uint32_t slot, std::span<const std::int8_t> bytes, float scale) const;
  void set_group(std::uint32_t slot, std::uint8_t group) { view_.blocks[slot >> view_.shift].groups[view_.inside(slot)] = group; }
  void kill(std::uint32_t slot);    // Its bytes stay.
  void remove(std::uint32_t slot);  // The last row takes its position and must be alive.
  void remove_dead();               // Live rows from the end take their positions.

  std::size_t dimension() const { return dimension_; }
  std::uint32_t slots() const { return view_.rows; }
  std::uint32_t dead_slots() const { return dead_; }
  const RowView& view() const { return view_; }
  std::size_t bytes() const;

 private:
  std::size_t block_stride() const;  // Bytes between the blocks of a piece.
  void add_block();
  void copy(std::uint32_t from, std::uint32_t to);
  void drop_last();

  std::size_t dimension_;
  NumberedSlots slots_;
  RowView view_;
  std::vector<AlignedArray<std::int8_t>> memory_;  // Of view_.blocks; a piece is stored at its first block, the others have none.
  std::size_t reserved_blocks_ = 0;
  std::int8_t* piece_ = nullptr;  // The rest of the last piece.
  std::size_t piece_blocks_ = 0;
  std::uint32_t dead_ = 0;
};

}  // namespace parlance::memory
