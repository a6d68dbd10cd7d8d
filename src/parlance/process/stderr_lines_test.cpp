// SPDX-License-Identifier: Apache-2.0
#include "parlance/process/stderr_lines.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/process/limits.h"

namespace parlance {
namespace {

using testing::ElementsAre;

// The same bytes in pieces of every size must give the same lines and the same tail.
struct Read {
  std::vector<std::string> lines;
  std::string tail;
};
Read read_in_pieces(BytesView bytes, std::size_t piece) {
  Read read;
  StderrLines lines;
  const auto on_line = [&](BytesView line) { read.lines.emplace_back(line); };
  for (std::size_t at = 0; at < bytes.size(); at += piece) lines.feed(bytes.substr(at, piece), on_line);
  lines.finish(on_line);
  read.tail = lines.tail();
  return read;
}

TEST(StderrLines, PiecesOfAnySizeGiveTheSameLines) {
  for (std::size_t piece = 1; piece < 20; ++piece)
    EXPECT_THAT(read_in_pieces("one\r\n\ntwo\nno end", piece).lines, ElementsAre("one", "", "two", "no end")) << piece;
}

TEST(StderrLines, ALongLineIsCutAndTheNextOneIsWhole) {
  const std::string bytes =
      std::string(limits::stderr_line_bytes + 1, 'a') + "\n" + std::string(limits::stderr_line_bytes, 'b') + "\nc\n";
  for (const std::size_t piece : {std::size_t{1}, std::size_t{100}, limits::stderr_line_bytes, bytes.size()})
    EXPECT_THAT(read_in_pieces(bytes, piece).lines,
                ElementsAre(std::string(limits::stderr_line_bytes, 'a'), std::string(limits::stderr_line_bytes, 'b'), "c"));
}

TEST(StderrLines, TheTailIsTheSameForAnyPieces) {
  std::string bytes;
  for (int i = 1000; i < 5000; ++i) bytes += "line " + std::to_string(i) + "\n";
  const std::string whole = read_in_pieces(bytes, bytes.size()).tail;
  EXPECT_TRUE(whole.starts_with("line "));
  EXPECT_TRUE(bytes.ends_with(whole));
  EXPECT_LE(whole.size(), limits::stderr_tail_bytes);
  EXPECT_GT(whole.size(), limits::stderr_tail_bytes - 10);
  for (const std::size_t piece : {1, 7, 4095, 4096, 4097, 8192, 16384})
    EXPECT_EQ(read_in_pieces(bytes, piece).tail, whole) << piece;
  EXPECT_EQ(read_in_pieces("short\n", 2).tail, "short\n");
}

TEST(StderrLines, TheLastLineIsTheLastNonEmptyLine) {
  EXPECT_EQ(last_line("one\n two \n\n \n"), "two");
  EXPECT_EQ(last_line("only"), "only");
  EXPECT_EQ(last_line("\n"), "");
}

}  // namespace
}  // namespace parlance
