// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/editor/line_writes.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/protocol/editor/limits.h"

namespace parlance::editor {
namespace {

// Records writes, accepts a limited number of bytes of each, and reads the input of the test.
class Writes final : public ByteStream {
 public:
  Writes(std::vector<std::string>& all, std::size_t room) : all_(all), room_(room) {}
  void start_read(std::span<char>, IoDone& done) override { reader = &done; }
  std::size_t try_write(BytesView from) override {
    const BytesView taken = from.substr(0, room_);
    if (!taken.empty()) all_.emplace_back(taken);
    return taken.size();
  }
  void start_write(BytesView from, IoDone& done) override {
    all_.emplace_back(from);
    writer = &done;
    size = from.size();
  }
  void written() { std::exchange(writer, nullptr)->on_io(size); }
  void close_output() override {}
  void close() override { closed = true; }
  void give_up(IoDone&) override { closed = true; }
  std::string name() const override { return "writes"; }

  IoDone* reader = nullptr;
  IoDone* writer = nullptr;
  std::size_t size = 0;
  bool closed = false;

 private:
  std::vector<std::string>& all_;
  std::size_t room_;
};

struct Count final : IoDone {
  std::size_t bytes = 0;
  int times = 0;
  void on_io(Result<std::size_t> moved) override {
    bytes = moved.value_or(0);
    ++times;
  }
};

struct LineWritesTest : ::testing::Test {
  void make(std::size_t room) {
    auto inner = std::make_unique<Writes>(all, room);
    below = inner.get();
    stream = line_writes(loop, std::move(inner));
  }
  // The other side says something.
  void word() {
    char room[8];
    Count read;
    stream->start_read(room, read);
    below->reader->on_io(1);
    EXPECT_EQ(read.times, 1);
  }
  Loop loop{Loop::Time::virtual_};
  std::vector<std::string> all;
  Writes* below = nullptr;
  std::unique_ptr<LineWrites> stream;
};
using Lines = std::vector<std::string>;

TEST_F(LineWritesTest, ALineWaitsForTheFirstOutputOfTheOtherSide) {
  make(100);
  EXPECT_EQ(stream->try_write("{1}\n{2}\n"), 4U);
  EXPECT_EQ(stream->try_write("{2}\n"), 0U);
  Count count;
  stream->start_write("{2}\n{3}\n", count);
  EXPECT_EQ(all, (Lines{"{1}\n"}));
  word();
  EXPECT_EQ(all, (Lines{"{1}\n", "{2}\n"}));
  below->written();
  EXPECT_EQ(count.times, 0);
  word();
  below->written();
  EXPECT_EQ(all, (Lines{"{1}\n", "{2}\n", "{3}\n"}));
  EXPECT_EQ(count.bytes, 8U);
}

TEST_F(LineWritesTest, OrHasHadTimeToReadIt) {
  make(100);
  EXPECT_EQ(stream->try_write("{1}\n"), 4U);
  Count count;
  stream->start_write("{2}\n", count);
  EXPECT_EQ(all, (Lines{"{1}\n"}));
  loop.advance(limits::piece);
  EXPECT_EQ(all, (Lines{"{1}\n", "{2}\n"}));
}

TEST_F(LineWritesTest, OnceItReadsLinesNoneWaitsAndEachIsStillAWriteOfItsOwn) {
  make(100);
  EXPECT_EQ(stream->try_write("{1}\n"), 4U);
  stream->reads_lines();
  EXPECT_EQ(stream->try_write("{2}\n{3}\n> "), 10U);
  EXPECT_EQ(all, (Lines{"{1}\n", "{2}\n", "{3}\n", "> "}));
}

TEST_F(LineWritesTest, TheRestOfALineWaitsForNothing) {
  make(2);
  EXPECT_EQ(stream->try_write("{1}\n{2}\n"), 2U);
  Count count;
  stream->start_write("}\n{2}\n", count);
  EXPECT_EQ(all, (Lines{"{1", "}\n"}));
  below->written();
  EXPECT_EQ(all.size(), 2U);
  word();
  below->written();
  EXPECT_EQ(count.bytes, 6U);
}

TEST_F(LineWritesTest, AnAbandonedWaitingWriteHasNoCallback) {
  make(100);
  EXPECT_EQ(stream->try_write("{1}\n"), 4U);
  Count count;
  stream->start_write("{2}\n", count);
  stream->give_up(count);
  EXPECT_TRUE(below->closed);
  loop.advance(limits::piece);
  EXPECT_EQ(all, (Lines{"{1}\n"}));
  EXPECT_EQ(count.times, 0);
}

}  // namespace
}  // namespace parlance::editor
