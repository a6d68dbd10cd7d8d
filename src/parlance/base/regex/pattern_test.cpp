// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/regex/pattern.h"

#include <array>
#include <random>
#include <regex>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/base/regex/lookahead_run.h"
#include "parlance/base/regex/parser.h"
#include "parlance/base/regex/program.h"

namespace parlance::regex {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t enough = 50'000'000;

bool fits(std::string_view expression, std::string_view text, Options options = {}) {
  const auto pattern = Pattern::compile(expression, options);
  EXPECT_TRUE(pattern) << expression << ": " << pattern.error().message;
  std::size_t work = enough;
  return pattern && pattern->found_in(text, work);
}

TEST(Pattern, MatchesAnywhereUnlessAnchored) {
  EXPECT_TRUE(fits("b+", "abbc"));
  EXPECT_FALSE(fits("^b+", "abbc"));
  EXPECT_FALSE(fits("b+$", "abbc"));
  EXPECT_TRUE(fits("", ""));
  EXPECT_TRUE(fits("^(a|bc|)$", "bc"));
  EXPECT_TRUE(fits("^(a|bc|)$", ""));
  EXPECT_FALSE(fits("^(a|bc)$", "abc"));
}

TEST(Pattern, RepeatsAsOftenAsRequired) {
  EXPECT_TRUE(fits("^a{2,3}$", "aa"));
  EXPECT_FALSE(fits("^a{2,3}$", "aaaa"));
  EXPECT_TRUE(fits("^(ab){2,}?$", "ababab"));
  EXPECT_FALSE(fits("^(?:ab){2}$", "ab"));
  EXPECT_TRUE(fits("^a{,3}{x}$", "a{,3}{x}")) << "braces that count nothing are text";
  EXPECT_TRUE(fits("^(a*)*$", "aaaa")) << "a repetition of an empty match ends";
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

// Expressions of zod.
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
                                        {"*a", "no operand"},
                                        {"a**", "repetition is repeated"},
                                        {"a{3,2}", "below its minimum"},
                                        {"[z-a]", "below its beginning"},
                                        {"(a)\\1", "back references are not supported (character 5)"},
                                        {"(?<=a)b", "look-behind is not supported"},
                                        {"\\p{Nothing}", "there is no table"},
                                        {"\\pL", "a name in braces"},
                                        {"\\a", "there is no \\a"},
                                        {"\\", "ends with a \\"},
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
  EXPECT_FALSE(fits("(a?){3000}b", std::string(10'000, 'a')));
}

// Each character leads to a new set of NFA threads: 2 to the 2,000th in all.
TEST(Pattern, GivesUpWhenTheWorkIsSpent) {
  std::mt19937 random(1);
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += random() % 2 == 0 ? 'a' : 'b';
  std::size_t work = 1'000'000;
  EXPECT_FALSE(Pattern::compile("a[ab]{2000}c")->found_in(text, work));
  EXPECT_EQ(work, 0U);
  work = 1'000'000;
  EXPECT_FALSE(Pattern::compile("a(?=[ab]{2000}c)")->found_in(text, work)) << "the same with look-ahead";
  EXPECT_EQ(work, 0U);
}

TEST(Pattern, AFullCacheIsCleared) {
  std::mt19937 random(2);
  Matcher matcher(*Pattern::compile("a[ab]{400}c"));
  for (int round = 0; round < 20; ++round) {
    std::string text;
    for (int i = 0; i < 2'000; ++i) text += random() % 2 == 0 ? 'a' : 'b';
    std::size_t work = enough;
    EXPECT_FALSE(matcher.found_in(text, work));
    EXPECT_TRUE(matcher.found_in(text + "a" + std::string(400, 'b') + "c", work));
  }
}

constexpr Options grep{.syntax = Syntax::grep};

TEST(Pattern, AcceptsTheSyntaxOfGrep) {
  EXPECT_TRUE(fits("^[[:alpha:]_][[:alnum:]_]*$", "snake_case_2", grep));
  EXPECT_FALSE(fits("[^[:space:]]", " \t", grep));
  EXPECT_TRUE(fits("[]x]", "]", grep));
  EXPECT_FALSE(fits("[^]x]", "]", grep));
  EXPECT_TRUE(fits(R"(\<cat\>)", "a cat.", grep));
  EXPECT_FALSE(fits(R"(\<cat\>)", "concat", grep));
  EXPECT_TRUE(fits(R"(\Aint main\(\) \{\z)", "int main() {", grep));
  EXPECT_TRUE(fits(R"(main\(\) {)", "main() {", grep)) << "a lone brace is text";
  EXPECT_TRUE(fits("(?i)todo", "// ToDo", grep));
  EXPECT_TRUE(fits("a(?i:b)c", "aBc", grep));
  EXPECT_FALSE(fits("a(?i:b)c", "aBC", grep)) << "the group ends";
  EXPECT_FALSE(fits("((?i)a)b", "aB", grep));
  EXPECT_FALSE(fits("(?i)a(?-i)b", "AB", grep));
  EXPECT_TRUE(fits("(?P<year>\\d{4})-(?<month>\\d{2})", "2026-11", grep));
  EXPECT_TRUE(fits("^a{,2}$", "aa", grep));
  EXPECT_FALSE(fits("^a{,2}$", "aaa", grep));
  EXPECT_TRUE(fits("(?m)^x(?s:.)y", "x-y", grep));
  for (const auto& [expression, why] : {std::pair{"[[:letter:]]", "unknown class"},
                                        {"[[:alpha:", "[: without its :]"},
                                        {"(?>a)", "this kind of group"},
                                        {"(a)\\1", "back references"},
                                        {"a++", "repetition is repeated"}})
    EXPECT_THAT(Pattern::compile(expression, grep).error().message, HasSubstr(why)) << expression;
}

TEST(Pattern, AJavaScriptExpressionHasItsMeaning) {
  EXPECT_TRUE(fits("^[[:alpha:]]$", "p]")) << "a set, and a bracket";
  EXPECT_FALSE(fits("[]", "]")) << "nothing is in it";
  EXPECT_TRUE(fits("[^]", "\n"));
  EXPECT_TRUE(fits(R"(^\<$)", "<"));
}

TEST(Pattern, ComparesWithoutTheCaseOfLetters) {
  const Options any_case{.ignore_case = true};
  for (const auto& [expression, text] : {std::pair{"straße", "STRAßE"},
                                         {"ÉCOLE", "école"},
                                         {"łódź", "ŁÓDŹ"},
                                         {"привет", "ПРИВЕТ"},
                                         {"αθήνα", "ΑΘΉΝΑ"},
                                         {"^[a-f]+$", "AbCdEf"},
                                         {"^[^a]$", "B"}}) {
    EXPECT_TRUE(fits(expression, text, any_case)) << expression;
    EXPECT_EQ(fits(expression, text), std::string_view(expression) == "^[^a]$") << expression;
  }
  EXPECT_FALSE(fits("[^a]", "A", any_case));
  std::size_t work = enough;
  EXPECT_TRUE(Pattern::of_text("a.b*(c)", any_case)->found_in("xA.B*(C)", work));
  EXPECT_FALSE(Pattern::of_text("a.b", any_case)->found_in("axb", work));
}

TEST(Pattern, InvalidBytesAreUnknownCharacters) {
  EXPECT_TRUE(fits("^a..b$",
                   "a\xff\xfe"
                   "b"));
  EXPECT_TRUE(fits("^.{3}$", "\xe2\x82x")) << "cut in the middle";
  EXPECT_TRUE(fits("é", "\xc3\xc3\xa9"));
}

// Random expressions. The lazy DFA, the NFA and the backtracking matcher of the standard library agree.
TEST(Pattern, AgreesWithAnEngineThatTriesEverything) {
  std::mt19937 random(7);
  const auto pick = [&](auto... choices) {
    const std::array<std::string, sizeof...(choices)> all{choices...};
    return all[random() % all.size()];
  };
  const auto expression = [&](auto self, int depth) -> std::string {
    std::string row;
    for (auto parts = random() % 3 + 1; parts > 0; --parts) {
      std::string part = pick("a", "b", ".", "[ab]", "[^b]", "\\w", "-");
      if (random() % 8 == 0) part = pick("^", "$", "\\b", "\\B");
      else {
        if (depth > 0 && random() % 2 == 0) part = pick("(", "(?:") + self(self, depth - 1) + ")";
        part += pick("", "", "*", "+", "?", "{2}", "{1,2}");
      }
      row += part;
    }
    if (depth > 0 && random() % 3 == 0) row += "|" + self(self, depth - 1);
    return row;
  };
  int fitting = 0;
  for (int round = 0; round < 1000; ++round) {
    const std::string text = expression(expression, 2);
    const auto piece = parse(text, {});
    ASSERT_TRUE(piece) << text << ": " << piece.error().message;
    const auto program = compile(*piece);
    Matcher matcher(*Pattern::compile(text));
    const std::regex reference(text, std::regex::ECMAScript);
    for (int sample = 0; sample < 6; ++sample) {
      std::string line;
      for (auto size = random() % 7; size > 0; --size) line += pick("a", "b", "-");
      const bool wanted = std::regex_search(line, reference);
      fitting += wanted ? 1 : 0;
      std::size_t work = enough;
      EXPECT_EQ(matcher.found_in(line, work), wanted) << text << " in \"" << line << '"';
      EXPECT_EQ(run_with_lookahead(*program, line, work), wanted) << text << " in \"" << line << '"';
    }
  }
  EXPECT_GT(fitting, 1000) << "both answers are common";
  EXPECT_LT(fitting, 5500);
}

TEST(Pattern, PropertiesOfUnicodeNameCharacters) {
  EXPECT_TRUE(fits("^\\p{Letter}+$", "aÜлΩ漢"));
  EXPECT_FALSE(fits("^\\p{L}+$", "a1"));
  EXPECT_TRUE(fits("^\\p{Lu}\\P{Lu}$", "Éa"));
  EXPECT_TRUE(fits("^[\\p{Nd}x]+$", "x৪2"));
  EXPECT_TRUE(fits("^\\p{Script=Greek}+$", "αβγ"));
  EXPECT_FALSE(fits("^\\p{sc=Greek}+$", "abc"));
  EXPECT_TRUE(fits("^(\\p{Extended_Pictographic}|\\p{Emoji_Component})+$", "👩\u200d🚀😀")) << "zod's z.emoji()";
  EXPECT_FALSE(fits("^(\\p{Extended_Pictographic}|\\p{Emoji_Component})+$", "a"));
  EXPECT_TRUE(fits("^\\p{C}\\p{Cn}$", "\x01\U0003FFFF"));
  EXPECT_TRUE(fits("^\\p{Any}\\p{ASCII}\\p{gc=Zs}$", "漢a "));
}

// A look-ahead at each place, and each look-ahead reads to the end of the text.
TEST(Pattern, ALookAheadAtEachPlaceCostsOnePass) {
  const std::string text(10'000, 'a');
  for (const auto& [expression, end] : {std::pair("a(?=.*b)", "b"), std::pair("a(?=a*(?=cb)c)", "cb"), std::pair("(?!.*b)c", "c"),
                                        std::pair("a(?=(a|aa)*b)", "b")}) {
    const auto pattern = Pattern::compile(expression);
    std::size_t work = 200 * text.size();
    EXPECT_FALSE(pattern->found_in(text, work)) << expression;
    EXPECT_GT(work, 0U) << expression;
    work = 200 * text.size();
    EXPECT_TRUE(pattern->found_in(text + end, work)) << expression;
  }
}

// Without \b: inside a look-ahead, the standard library takes the place for the beginning of the text.
TEST(Pattern, LookAheadsAgreeWithAnEngineThatTriesEverything) {
  std::mt19937 random(11);
  const auto pick = [&](auto... choices) {
    const std::array<std::string, sizeof...(choices)> all{choices...};
    return all[random() % all.size()];
  };
  const auto expression = [&](auto self, int depth) -> std::string {
    std::string row;
    for (auto parts = random() % 3 + 1; parts > 0; --parts) {
      row += pick("a", "b", ".", "[^b]", "a*", "(?:ab?)+", "-", "$");
      if (depth > 0 && random() % 2 == 0) row += pick("(?=", "(?!") + self(self, depth - 1) + ")";
    }
    return row;
  };
  int fitting = 0;
  for (int round = 0; round < 500; ++round) {
    const std::string text = expression(expression, 2);
    const auto pattern = Pattern::compile(text);
    ASSERT_TRUE(pattern) << text << ": " << pattern.error().message;
    const std::regex reference(text, std::regex::ECMAScript);
    for (int sample = 0; sample < 6; ++sample) {
      std::string line;
      for (auto size = random() % 15; size > 0; --size) line += pick("a", "a", "b", "-");
      const bool wanted = std::regex_search(line, reference);
      fitting += wanted ? 1 : 0;
      std::size_t work = enough;
      EXPECT_EQ(pattern->found_in(line, work), wanted) << text << " in \"" << line << '"';
    }
  }
  EXPECT_GT(fitting, 300) << "both answers are common";
  EXPECT_LT(fitting, 2700);
}

}  // namespace
}  // namespace parlance::regex
