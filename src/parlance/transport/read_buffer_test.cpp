// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/read_buffer.h"

#include <string>

#include <gtest/gtest.h>

namespace parlance {
namespace {

// A read of so many bytes.
void fill(ReadBuffer& buffer, BytesView bytes) {
  const std::span<char> room = buffer.room();
  ASSERT_GE(room.size(), bytes.size());
  std::memcpy(room.data(), bytes.data(), bytes.size());
  buffer.commit(bytes.size());
}

TEST(ReadBuffer, InputStaysUntilConsumed) {
  ReadBuffer buffer;
  EXPECT_TRUE(buffer.empty());
  EXPECT_EQ(buffer.capacity(), 0U) << "an idle connection has none";
  fill(buffer, "one two ");
  fill(buffer, "three");
  EXPECT_EQ(buffer.view(), "one two three");
  buffer.consume(4);
  EXPECT_EQ(buffer.view(), "two three");
  fill(buffer, "!");
  EXPECT_EQ(buffer.view(), "two three!");
  buffer.consume(buffer.size());
  EXPECT_TRUE(buffer.empty());
}

TEST(ReadBuffer, TheBufferGrowsAfterFullReads) {
  ReadBuffer buffer;
  std::size_t before = buffer.room().size();
  EXPECT_EQ(before, limits::read_buffer_first_bytes);
  for (int i = 0; i < 4; ++i) {
    const std::size_t size = buffer.room().size();
    buffer.commit(size);
    buffer.consume(buffer.size());
    EXPECT_GE(buffer.room().size(), before);
    before = buffer.room().size();
  }
  EXPECT_GT(before, limits::read_buffer_first_bytes);
}

TEST(ReadBuffer, WithoutALongFrameTheBufferStopsGrowing) {
  ReadBuffer buffer;
  for (int i = 0; i < 40; ++i) {
    buffer.commit(buffer.room().size());
    buffer.consume(buffer.size());
  }
  EXPECT_LE(buffer.capacity(), limits::read_buffer_most_bytes);
}

TEST(ReadBuffer, AnAnnouncedLengthCostsNoMemoryBeforeItsBytes) {
  ReadBuffer buffer;
  const std::span<char> room = buffer.room(std::size_t{1} << 40);
  EXPECT_LE(room.size(), limits::read_buffer_first_bytes);
  buffer.commit(room.size());
  EXPECT_LE(buffer.room(std::size_t{1} << 40).size() + buffer.size(), 2 * limits::read_buffer_first_bytes);
}

TEST(ReadBuffer, ALongFrameIsContiguousInEveryCase) {
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{1000}, std::size_t{100'000}}) {
    ReadBuffer buffer;
    std::string all;
    while (all.size() < 200'000 / (piece < 10 ? 20 : 1)) {
      const std::span<char> room = buffer.room();
      const std::size_t count = std::min(piece, room.size());
      for (std::size_t i = 0; i < count; ++i) all += room[i] = static_cast<char>('a' + (all.size() % 26));
      buffer.commit(count);
    }
    EXPECT_TRUE(buffer.view() == all) << piece;
  }
}

TEST(ReadBuffer, ConsumedFramesMakeRoomForTheNext) {
  ReadBuffer buffer;
  const std::string frame(limits::read_buffer_first_bytes / 3, 'f');
  for (int i = 0; i < 1000; ++i) {
    buffer.append(frame);
    ASSERT_EQ(buffer.view().substr(0, frame.size()), frame);
    buffer.consume(frame.size());
  }
  EXPECT_LE(buffer.capacity(), 4 * limits::read_buffer_first_bytes) << "consumed bytes do not grow it";
}

TEST(ReadBuffer, AfterALargeInputTheBufferShrinks) {
  ReadBuffer buffer;
  buffer.append(std::string(1 << 20, 'x'));
  buffer.consume(buffer.size());
  EXPECT_GE(buffer.capacity(), std::size_t{1} << 20);
  for (int i = 0; i < 100; ++i) {
    fill(buffer, "ping");
    buffer.consume(buffer.size());
  }
  EXPECT_LE(buffer.capacity(), limits::read_buffer_first_bytes);
}

TEST(ReadBuffer, AppendedBytesFollowThePresentBytes) {
  ReadBuffer buffer;
  buffer.append("");
  EXPECT_TRUE(buffer.empty());
  buffer.append("head ");
  buffer.append(std::string(50'000, 'b'));
  buffer.append(" tail");
  EXPECT_EQ(buffer.size(), 50'010U);
  EXPECT_TRUE(buffer.view().starts_with("head bbb"));
  EXPECT_TRUE(buffer.view().ends_with("bbb tail"));
}

TEST(ReadBuffer, AReleasedBufferIsEmpty) {
  ReadBuffer buffer;
  fill(buffer, "x");
  buffer.consume(1);
  buffer.release();
  EXPECT_EQ(buffer.capacity(), 0U);
  fill(buffer, "y");
  EXPECT_EQ(buffer.view(), "y");
}

}  // namespace
}  // namespace parlance
