// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/vector/vector_rows.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <sys/mman.h>
#include <utility>

#include "parlance/base/check.h"

namespace parlance::memory {
namespace {

// A block of rows: large enough for undisturbed scans of memory, and small enough to keep a hundred memories below megabytes.
constexpr std::size_t row_block_bytes = 256 << 10;
// Blocks known in advance are allocated together: eight huge pages.
constexpr std::size_t most_piece_bytes = 16 << 20;

// A wish, where the system has such pages; half of the time of filling a large table goes into the faults of small ones.
void use_huge_pages(std::int8_t* begin, std::size_t size) {
  constexpr std::size_t page = 2 << 20;
  const auto first = (reinterpret_cast<std::uintptr_t>(begin) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(begin) + size) / page * page;
  if (first < end) (void)::madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
}

}  // namespace

VectorRows::VectorRows(std::size_t dimension) : dimension_(dimension) {
  PARLANCE_CHECK(dimension >= 1 && dimension <= vector_length_most, "a vector of 1 to 65536 components");
  view_.length = row_length(dimension);
  view_.shift = static_cast<unsigned>(std::bit_width(std::max<std::size_t>(row_block_bytes / view_.length, 1)) - 1);
}

std::size_t VectorRows::block_stride() const {
  const std::size_t bytes = view_.block_rows() * (view_.length + sizeof(float) + 1);
  return (bytes + vector_register_bytes - 1) / vector_register_bytes * vector_register_bytes;
}

void VectorRows::reserve(std::size_t rows) {
  slots_.reserve(rows);
  reserved_blocks_ = (rows + view_.block_rows() - 1) >> view_.shift;
}

void VectorRows::add_block() {
  AlignedArray<std::int8_t> memory;
  if (piece_blocks_ == 0) {
    const std::size_t wanted = reserved_blocks_ > view_.blocks.size() ? reserved_blocks_ - view_.blocks.size() : 1;
    piece_blocks_ = std::min(wanted, most_piece_bytes / block_stride() + 1);
    memory = aligned_array<std::int8_t>(piece_blocks_ * block_stride());
    piece_ = memory.get();
    use_huge_pages(piece_, piece_blocks_ * block_stride());
  }
  std::int8_t* const bytes = std::exchange(piece_, piece_ + block_stride());
  --piece_blocks_;
  const std::size_t rows = view_.block_rows();
  std::int8_t* const scales = bytes + rows * view_.length;
  view_.blocks.push_back({.bytes = bytes,
                          .scales = reinterpret_cast<float*>(scales),
                          .groups = reinterpret_cast<std::uint8_t*>(scales + rows * sizeof(float))});
  memory_.push_back(std::move(memory));
}

void VectorRows::append(std::int64_t number, std::span<const std::int8_t> bytes, float scale, std::uint8_t group) {
  const std::uint32_t slot = slots_.append(number);
  if (slot >> view_.shift == view_.blocks.size()) add_block();
  ++view_.rows;
  write(slot, bytes, scale, group);
}

void VectorRows::write(std::uint32_t slot, std::span<const std::int8_t> bytes, float scale, std::uint8_t group) {
  PARLANCE_CHECK(bytes.size() == dimension_, "a row of the index's dimension");
  const RowBlock& block = view_.blocks[slot >> view_.shift];
  const std::size_t inside = view_.inside(slot);
  std::int8_t* const row = block.bytes + inside * view_.length;
  std::memcpy(row, bytes.data(), dimension_);
  std::memset(row + dimension_, 0, view_.length - dimension_);
  block.scales[inside] = scale;
  block.groups[inside] = group;
}

bool VectorRows::holds(std::uint32_t slot, std::span<const std::int8_t> bytes, float scale) const {
  PARLANCE_CHECK(bytes.size() == dimension_, "a row of the index's dimension");
  return view_.scale(slot) == scale && std::ranges::equal(bytes, std::span(view_.bytes(slot), dimension_));
}

void VectorRows::kill(std::uint32_t slot) {
  slots_.forget(slots_.number(slot));
  set_group(slot, dead);
  ++dead_;
}

void VectorRows::remove(std::uint32_t slot) {
  slots_.forget(slots_.number(slot));
  if (const std::uint32_t last = slots() - 1; slot != last) copy(last, slot);
  drop_last();
}

void VectorRows::remove_dead() {
  for (std::uint32_t slot = 0; dead_ > 0; ++slot) {
    for (; dead_ > 0 && view_.group(slots() - 1) == dead; --dead_) drop_last();
    if (dead_ == 0) return;
    if (view_.group(slot) != dead) continue;
    copy(slots() - 1, slot);
    drop_last();
    --dead_;
  }
}

void VectorRows::copy(std::uint32_t from, std::uint32_t to) {
  write(to, {view_.bytes(from), dimension_}, view_.scale(from), view_.group(from));
  slots_.move(from, to);
}

void VectorRows::drop_last() {
  slots_.drop_last();
  --view_.rows;
  // A single empty block is kept, so repeated insertions and removals at a block's edge allocate nothing.
  const std::size_t needed = (view_.rows + view_.block_rows() - 1) >> view_.shift;
  while (view_.blocks.size() > needed + 1) {
    // The earlier blocks keep the space; a piece is freed with its first block.
    if (memory_.back() != nullptr) piece_blocks_ = 0, piece_ = nullptr;
    else if (piece_ == view_.blocks.back().bytes + block_stride()) piece_ -= block_stride(), ++piece_blocks_;
    view_.blocks.pop_back();
    memory_.pop_back();
  }
}

std::size_t VectorRows::bytes() const {
  return slots_.bytes() + (view_.blocks.size() + piece_blocks_) * block_stride() + view_.blocks.capacity() * sizeof(RowBlock) +
         memory_.capacity() * sizeof(memory_[0]);
}

}  // namespace parlance::memory
