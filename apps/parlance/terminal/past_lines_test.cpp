// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/terminal/past_lines.h"

#include <gmock/gmock.h>

#include "tests/support/programs.h"

namespace parlance::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class PastLinesTest : public test::ProgramTest {
 protected:
  PastLines past{path("history")};
};

TEST_F(PastLinesTest, AreKeptForTheNextRunAndReadableByTheirOwnerOnly) {
  EXPECT_THAT(past.read(), IsEmpty());
  ASSERT_TRUE(past.add("one"));
  ASSERT_TRUE(past.add("two lines\nof \"text\" with \\ and é\x01"));
  EXPECT_THAT(PastLines(path("history")).read(), ElementsAre("one", "two lines\nof \"text\" with \\ and é\x01"));
  EXPECT_EQ(test::mode_of(path("history")), 0600U);
}
TEST_F(PastLinesTest, OnlyTheNewestAreKept) {
  for (std::size_t i = 0; i < PastLines::most + 5; ++i) ASSERT_TRUE(past.add(std::to_string(i)));
  EXPECT_EQ(past.read().size(), PastLines::most);
  EXPECT_EQ(past.read().front(), "5");
  EXPECT_EQ(test::mode_of(path("history")), 0600U);
  EXPECT_THAT(test::read_file(path("history")), testing::StartsWith("\"5\"\n")) << "the file is shortened as well";
}
TEST_F(PastLinesTest, AForeignLineIsSkipped) {
  test::write_file(path("history"), "\"one\"\nrubbish\n{}\n\n\"two\"\n\"cut");
  EXPECT_THAT(past.read(), ElementsAre("one", "two"));
}
TEST_F(PastLinesTest, TwoProgramsAddToOneFile) {
  PastLines other(path("history"));
  ASSERT_TRUE(past.add("mine"));
  ASSERT_TRUE(other.add("theirs"));
  EXPECT_THAT(past.read(), ElementsAre("mine", "theirs"));
}
TEST_F(PastLinesTest, ALinkIsNotFollowed) {
  ASSERT_EQ(::symlink(path("elsewhere").c_str(), path("history").c_str()), 0);
  const auto done = past.add("one");
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message, HasSubstr(path("history")));
  EXPECT_EQ(test::read_file(path("elsewhere")), "");
}
TEST_F(PastLinesTest, WithoutAFileNothingIsKept) {
  PastLines nowhere("");
  EXPECT_TRUE(nowhere.add("one"));
  EXPECT_THAT(nowhere.read(), IsEmpty());
}

}  // namespace
}  // namespace parlance::app
