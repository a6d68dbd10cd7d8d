#include "memory/vector_rows.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/check.h"

namespace parlance::memory {
namespace {

// A block of rows: large enough that a scan runs through memory undisturbed, small enough that a hundred memories do not take
// megabytes.
constexpr std::size_t block_bytes = 256 << 10;

}  // namespace

VectorRows::VectorRows(std::size_t dimension) : dimension_(dimension) {
  PARLANCE_CHECK(dimension >= 1 && dimension <= vector_length_most, "a vector of 1 to 65536 components");
  view_.length = row_length(dimension);
  view_.shift = static_cast<unsigned>(std::bit_width(std::max<std::size_t>(block_bytes / view_.length, 1)) - 1);
}

void VectorRows::append(std::int64_t number, std::span<const std::int8_t> bytes, float scale, std::uint8_t group) {
  const std::uint32_t slot = slots_.append(number);
  if (slot >> view_.shift == view_.blocks.size()) {
    const std::size_t rows = view_.block_rows();
    auto memory = aligned_array<std::int8_t>(rows * (view_.length + sizeof(float) + 1));
    std::int8_t* const scales = memory.get() + rows * view_.length;
    view_.blocks.push_back({.bytes = memory.get(),
                            .scales = reinterpret_cast<float*>(scales),
                            .groups = reinterpret_cast<std::uint8_t*>(scales + rows * sizeof(float))});
    memory_.push_back(std::move(memory));
  }
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
  // One empty block is kept, so that a row that comes and goes at the edge of a block does not allocate each time.
  const std::size_t needed = (view_.rows + view_.block_rows() - 1) >> view_.shift;
  while (view_.blocks.size() > needed + 1) {
    view_.blocks.pop_back();
    memory_.pop_back();
  }
}

std::size_t VectorRows::bytes() const {
  return slots_.bytes() + view_.blocks.size() * view_.block_rows() * (view_.length + sizeof(float) + 1) +
         view_.blocks.capacity() * sizeof(RowBlock) + memory_.capacity() * sizeof(memory_[0]);
}

}  // namespace parlance::memory
