// SPDX-License-Identifier: Apache-2.0
#include "parlance/adapter/acp/think_tags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parlance::adapter {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Kind = ThinkPiece::Kind;

ThinkPiece text(std::string what) { return {Kind::text, std::move(what)}; }
ThinkPiece thought(std::string what) { return {Kind::thought, std::move(what)}; }
const ThinkPiece begin{Kind::begin};
const ThinkPiece end{Kind::end};

// Neighbours of one kind joined: how the text was cut must not be seen in it.
std::vector<ThinkPiece> joined(std::vector<ThinkPiece> pieces) {
  std::vector<ThinkPiece> out;
  for (ThinkPiece& piece : pieces) {
    if (!out.empty() && out.back().kind == piece.kind && !piece.text.empty()) out.back().text += piece.text;
    else out.push_back(std::move(piece));
  }
  return out;
}

std::vector<ThinkPiece> pieces_of(const std::vector<std::string_view>& cuts) {
  ThinkTags tags;
  std::vector<ThinkPiece> out;
  for (const std::string_view cut : cuts) tags.feed(cut, out);
  tags.finish(out);
  EXPECT_FALSE(tags.inside());
  for (const ThinkPiece& piece : out) EXPECT_EQ(piece.text.empty(), piece.kind == Kind::begin || piece.kind == Kind::end);
  return joined(std::move(out));
}

TEST(ThinkTags, ThoughtsAreTakenOutOfTheText) {
  EXPECT_THAT(pieces_of({"inline <thi", "nk>hidden</th", "ink> tail"}),
              ElementsAre(text("inline "), begin, thought("hidden"), end, text(" tail")));
  EXPECT_THAT(pieces_of({"<think>a</think><think>b</think>"}), ElementsAre(begin, thought("a"), end, begin, thought("b"), end));
  EXPECT_THAT(pieces_of({"<think></think>"}), ElementsAre(begin, end));
  EXPECT_THAT(pieces_of({"", ""}), IsEmpty());
}

TEST(ThinkTags, ALookalikeOfATagIsText) {
  EXPECT_THAT(pieces_of({"a < b <", "<think", "ing> </think> <"}), ElementsAre(text("a < b <<thinking> </think> <")));
  EXPECT_THAT(pieces_of({"<<think>x</</think>"}), ElementsAre(text("<"), begin, thought("x</"), end));
}

TEST(ThinkTags, ABlockThatIsOpenAtTheEndIsClosed) {
  EXPECT_THAT(pieces_of({"<think>half </thi"}), ElementsAre(begin, thought("half </thi"), end));
  EXPECT_THAT(pieces_of({"held <thin"}), ElementsAre(text("held <thin")));
}

TEST(ThinkTags, OnlyWhatMayBeATagIsHeldBack) {
  ThinkTags tags;
  std::vector<ThinkPiece> out;
  tags.feed("hello <th", out);
  EXPECT_THAT(out, ElementsAre(text("hello ")));
  tags.feed("e end", out);
  EXPECT_THAT(joined(out), ElementsAre(text("hello <the end")));
}

TEST(ThinkTags, AfterATurnTheNextBeginsOutside) {
  ThinkTags tags;
  std::vector<ThinkPiece> out;
  tags.feed("<think>one", out);
  EXPECT_TRUE(tags.inside());
  tags.finish(out);
  out.clear();
  tags.feed("two", out);
  EXPECT_THAT(out, ElementsAre(text("two")));
}

// The property: every cut into three, and one byte at a time.
TEST(ThinkTags, AnyCutGivesTheSamePieces) {
  for (const std::string_view whole : {"inline <think>hidden</think> tail", "<think>a<think>b</think>c</think>d<",
                                       "<<<think>>></</think></think><think>ö", "no tag at all", "</think><think></think"}) {
    const std::vector<ThinkPiece> expected = pieces_of({whole});
    for (std::size_t first = 0; first <= whole.size(); ++first)
      for (std::size_t second = first; second <= whole.size(); ++second)
        ASSERT_EQ(pieces_of({whole.substr(0, first), whole.substr(first, second - first), whole.substr(second)}), expected)
            << whole << " cut at " << first << " and " << second;
    std::vector<std::string_view> bytes;
    for (std::size_t at = 0; at < whole.size(); ++at) bytes.push_back(whole.substr(at, 1));
    ASSERT_EQ(pieces_of(bytes), expected) << whole;
  }
}

}  // namespace
}  // namespace parlance::adapter
