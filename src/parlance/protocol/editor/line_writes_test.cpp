#include "parlance/protocol/editor/line_writes.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace parlance::editor {
namespace {

// Remembers the writes, and takes only so many bytes of each.
class Writes final : public ByteStream {
 public:
  explicit Writes(std::vector<std::string>& all, std::size_t room) : all_(all), room_(room) {}
  void start_read(std::span<char>, IoDone&) override {}
  std::size_t try_write(BytesView from) override {
    const BytesView taken = from.substr(0, room_);
    if (!taken.empty()) all_.emplace_back(taken);
    return taken.size();
  }
  void start_write(BytesView from, IoDone& done) override {
    all_.emplace_back(from);
    done.on_io(from.size());
  }
  void close_output() override {}
  void close() override {}
  void give_up(IoDone&) override {}
  std::string name() const override { return "writes"; }

 private:
  std::vector<std::string>& all_;
  std::size_t room_;
};

struct Count final : IoDone {
  std::size_t bytes = 0;
  void on_io(Result<std::size_t> written) override { bytes = written.value_or(0); }
};

TEST(LineWrites, EveryLineIsAWriteOfItsOwn) {
  std::vector<std::string> all;
  const auto stream = line_writes(std::make_unique<Writes>(all, 100));
  EXPECT_EQ(stream->try_write("{1}\n{2}\n> "), 10U);
  EXPECT_EQ(all, (std::vector<std::string>{"{1}\n", "{2}\n", "> "}));
}

TEST(LineWrites, WhatDoesNotFitIsLeft) {
  std::vector<std::string> all;
  const auto stream = line_writes(std::make_unique<Writes>(all, 2));
  EXPECT_EQ(stream->try_write("{1}\n{2}\n"), 2U);
  EXPECT_EQ(all, (std::vector<std::string>{"{1"}));
}

TEST(LineWrites, WaitingWritesToo) {
  std::vector<std::string> all;
  const auto stream = line_writes(std::make_unique<Writes>(all, 0));
  Count count;
  stream->start_write("}\n{2}\nrest", count);
  EXPECT_EQ(count.bytes, 10U);
  EXPECT_EQ(all, (std::vector<std::string>{"}\n", "{2}\n", "rest"}));
}

}  // namespace
}  // namespace parlance::editor
