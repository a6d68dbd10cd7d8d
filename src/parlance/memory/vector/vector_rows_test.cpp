// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/vector/vector_rows.h"

#include <algorithm>
#include <map>
#include <random>

#include <gtest/gtest.h>

namespace parlance::memory {
namespace {

std::vector<std::int8_t> row_of(std::size_t dimension, std::int64_t number) {
  std::vector<std::int8_t> bytes(dimension);
  for (std::size_t i = 0; i < dimension; ++i) bytes[i] = static_cast<std::int8_t>(number * 31 + static_cast<std::int64_t>(i));
  return bytes;
}

void expect_row(const VectorRows& rows, std::int64_t number, float scale, std::uint8_t group) {
  const std::uint32_t slot = rows.find(number);
  ASSERT_NE(slot, NumberedSlots::none);
  EXPECT_EQ(rows.number(slot), number);
  const std::vector<std::int8_t> expected = row_of(rows.dimension(), number);
  const std::int8_t* const bytes = rows.view().bytes(slot);
  EXPECT_TRUE(std::ranges::equal(expected, std::span(bytes, expected.size())));
  EXPECT_EQ(rows.view().scale(slot), scale);
  EXPECT_EQ(rows.view().group(slot), group);
}

// Scans and the distance of two rows read to the end of the last register.
TEST(VectorRows, EndInZerosAtTheirAlignment) {
  for (const std::size_t dimension : {1U, 63U, 64U, 65U, 383U}) {
    VectorRows rows(dimension);
    for (std::int64_t number = 0; number < 50; ++number) rows.append(number, row_of(dimension, number + 1), 1, 0);
    EXPECT_EQ(rows.view().length % vector_register_bytes, 0U);
    for (std::uint32_t slot = 0; slot < rows.slots(); ++slot) {
      const std::int8_t* const bytes = rows.view().bytes(slot);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes) % vector_register_bytes, 0U);
      for (std::size_t i = dimension; i < rows.view().length; ++i) ASSERT_EQ(bytes[i], 0) << "dimension " << dimension;
    }
  }
}

TEST(VectorRows, DeadRowsKeepTheirSlotsUntilRemoved) {
  VectorRows rows(5);
  std::mt19937 random(1);
  std::map<std::int64_t, std::uint8_t> live;
  for (std::int64_t number = 0; number < 20000; ++number) {
    const auto group = static_cast<std::uint8_t>(random() % 5);
    rows.append(number, row_of(5, number), static_cast<float>(number), group);
    live[number] = group;
  }
  const RowView before = rows.view();
  for (int i = 0; i < 30000; ++i) {
    const auto number = static_cast<std::int64_t>(random() % 20000);
    if (live.erase(number) == 1) rows.kill(rows.find(number));
  }
  ASSERT_EQ(rows.slots(), 20000U);
  EXPECT_EQ(rows.dead_slots(), 20000U - live.size());
  for (std::uint32_t slot = 0; slot < 20000; ++slot) ASSERT_EQ(before.scale(slot), static_cast<float>(slot)) << "where it was";
  rows.remove_dead();
  EXPECT_EQ(rows.slots(), live.size());
  EXPECT_EQ(rows.dead_slots(), 0U);
  for (const auto& [number, group] : live) expect_row(rows, number, static_cast<float>(number), group);
  for (const auto& [number, group] : live) rows.kill(rows.find(number));
  rows.remove_dead();
  EXPECT_EQ(rows.slots(), 0U);
}

// Reserved rows are in pieces of many blocks; they are added, removed and added again like others, also beyond the reservation.
TEST(VectorRows, ReservedRowsComeAndGo) {
  constexpr std::size_t dimension = 60;
  constexpr std::int64_t reserved = 20'000;
  VectorRows rows(dimension);
  rows.append(-1, row_of(dimension, -1), 0.5F, 3);
  rows.reserve(reserved);
  const auto fill = [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t number = from; number < to; ++number) rows.append(number, row_of(dimension, number), 1, 0);
  };
  fill(0, reserved + 9'000);
  for (std::int64_t number = reserved + 9'000; number-- > 700;) rows.remove(rows.find(number));
  EXPECT_EQ(rows.slots(), 701U);
  fill(700, reserved);
  expect_row(rows, -1, 0.5F, 3);
  for (std::int64_t number = 0; number < reserved; ++number) expect_row(rows, number, 1, 0);
}

TEST(VectorRows, ReservingTakesNoMoreThanTheRowsNeed) {
  constexpr std::size_t dimension = 384;
  VectorRows grown(dimension);
  VectorRows reserved(dimension);
  reserved.reserve(100'000);
  for (std::int64_t number = 0; number < 100'000; ++number) {
    grown.append(number, row_of(dimension, number), 1, 0);
    reserved.append(number, row_of(dimension, number), 1, 0);
  }
  EXPECT_LE(reserved.bytes(), grown.bytes() + (1 << 20));
}

}  // namespace
}  // namespace parlance::memory
