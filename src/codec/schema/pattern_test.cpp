#include "codec/schema/pattern.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/limits.h"

namespace parlance::schema {
namespace {

using ::testing::HasSubstr;

bool fits(std::string_view expression, std::string_view text) {
  const auto pattern = Pattern::compile(expression);
  EXPECT_TRUE(pattern) << expression << ": " << pattern.error().message;
  std::size_t work = limits::schema_pattern_work;
  return pattern && pattern->found_in(text, work);
}

TEST(Pattern, FitsAnywhereUnlessItIsTiedDown) {
  EXPECT_TRUE(fits("b+", "abbc"));
  EXPECT_FALSE(fits("^b+", "abbc"));
  EXPECT_FALSE(fits("b+$", "abbc"));
  EXPECT_TRUE(fits("", ""));
  EXPECT_TRUE(fits("^(a|bc|)$", "bc"));
  EXPECT_TRUE(fits("^(a|bc|)$", ""));
  EXPECT_FALSE(fits("^(a|bc)$", "abc"));
}

TEST(Pattern, RepeatsAsOftenAsItSays) {
  EXPECT_TRUE(fits("^a{2,3}$", "aa"));
  EXPECT_FALSE(fits("^a{2,3}$", "aaaa"));
  EXPECT_TRUE(fits("^(ab){2,}?$", "ababab"));
  EXPECT_FALSE(fits("^(?:ab){2}$", "ab"));
  EXPECT_TRUE(fits("^a{,3}{x}$", "a{,3}{x}")) << "braces that count nothing are text";
  EXPECT_TRUE(fits("^(a*)*$", "aaaa")) << "a repetition of what may be empty ends";
}

TEST(Pattern, CountsCharactersNotBytes) {
  EXPECT_TRUE(fits("^.{3}$", "äö€"));
  EXPECT_TRUE(fits("^[à-ÿ]$", "é"));
  EXPECT_TRUE(fits(R"(^\uD83D\uDE00\u{1F600}$)", "😀😀"));
  EXPECT_FALSE(fits("^[^a]$", "éé"));
}

TEST(Pattern, KnowsTheClassesOfEcmaScript) {
  EXPECT_TRUE(fits(R"(^\d\D\w\W\s\S$)", "1a_- x"));
  EXPECT_FALSE(fits(R"(^\d$)", "߀")) << "digits are ASCII";
  EXPECT_TRUE(fits(R"(^[\d\-x-z.\]]+$)", "7-y.]"));
  EXPECT_TRUE(fits(R"(\bcat\b)", "a cat."));
  EXPECT_FALSE(fits(R"(\bcat\b)", "concatenate"));
  EXPECT_TRUE(fits(R"(cat\B)", "cats"));
  EXPECT_TRUE(fits(R"(^\x41\cJ\0$)", std::string_view("A\n\0", 3)));
  EXPECT_FALSE(fits("^.$", "\n"));
}

// As zod writes them.
TEST(Pattern, LooksAhead) {
  const char* email = R"(^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$)";
  EXPECT_TRUE(fits(email, "some.one+tag@mail.example.org"));
  EXPECT_FALSE(fits(email, ".one@example.org"));
  EXPECT_FALSE(fits(email, "some..one@example.org"));
  EXPECT_FALSE(fits(email, "someone@example"));
  const char* password = R"(^(?=.*\d)(?=.*[a-z]).{4,}$)";
  EXPECT_TRUE(fits(password, "abc1"));
  EXPECT_FALSE(fits(password, "abcd"));
  EXPECT_TRUE(fits(R"(^(?:a(?=(?:b(?!c)|d)))[bd])", "abd"));
}

TEST(Pattern, IsRefusedWithTheReasonAndThePlace) {
  for (const auto& [expression, why] : {std::pair{"(a", "a ( is never closed"},
                                        {"a)", "without its ("},
                                        {"[a", "a [ is never closed"},
                                        {"*a", "nothing to repeat"},
                                        {"a**", "repetition is repeated"},
                                        {"a{3,2}", "ends before it begins"},
                                        {"[z-a]", "ends before it begins"},
                                        {"(a)\\1", "back references are not supported (character 5)"},
                                        {"(?<=a)b", "look-behind is not supported"},
                                        {"\\p{L}", "\\p{…} is not supported"},
                                        {"\\a", "there is no \\a"},
                                        {"\\", "ends in a \\"},
                                        {"((a{1000}){1000}){1000}", "multiply to too much"}}) {
    const auto pattern = Pattern::compile(expression);
    ASSERT_FALSE(pattern) << expression;
    EXPECT_THAT(pattern.error().message, HasSubstr(why)) << expression;
  }
  EXPECT_FALSE(Pattern::compile(std::string(2000, '('))) << "nesting is bounded";
}

TEST(Pattern, TakesAWhileAtMostWhereOthersTryForYears) {
  const std::string text(2000, 'a');
  EXPECT_FALSE(fits("^(a+)+$", text + "b"));
  EXPECT_FALSE(fits("^(a|aa)+$", text + "b"));
  EXPECT_FALSE(fits("^(?:(?=a+b)a)+c$", text + "b"));
  std::size_t work = 1'000'000;
  EXPECT_FALSE(Pattern::compile("(a?){3000}b")->found_in(std::string(10'000, 'a'), work));
  EXPECT_EQ(work, 0U) << "given up";
}

}  // namespace
}  // namespace parlance::schema
