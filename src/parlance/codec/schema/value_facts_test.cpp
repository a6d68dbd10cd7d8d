// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/schema/value_facts.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "parlance/codec/schema/compiled_schema.h"

namespace parlance::schema {
namespace {

json::Value value(std::string_view text) { return *json::parse(text); }

TEST(ValueFacts, EveryValueHasItsTypeAndAWholeNumberHasTwo) {
  EXPECT_EQ(types_of(value("null")), type_bit::null);
  EXPECT_EQ(types_of(value("true")), type_bit::boolean);
  EXPECT_EQ(types_of(value("\"\"")), type_bit::string);
  EXPECT_EQ(types_of(value("[]")), type_bit::array);
  EXPECT_EQ(types_of(value("{}")), type_bit::object);
  EXPECT_EQ(types_of(value("1.5")), type_bit::number);
  for (const char* whole : {"0", "-0", "5", "5.0", "1e3", "-9223372036854775808", "18446744073709551615", "1e300"})
    EXPECT_EQ(types_of(value(whole)), type_bit::integer | type_bit::number) << whole;
}

TEST(ValueFacts, NumbersAreExactAtTheEndsOfTheirRanges) {
  EXPECT_EQ(exact_number(value("9223372036854775807")), 9223372036854775807.0L);
  EXPECT_EQ(exact_number(value("-9223372036854775808")), -9223372036854775808.0L);
  EXPECT_EQ(exact_number(value("18446744073709551615")), 18446744073709551615.0L);
  EXPECT_LT(*exact_number(value("18446744073709551614")), *exact_number(value("18446744073709551615")));
  EXPECT_EQ(exact_number(value("0.5")), 0.5L);
  for (const char* other : {"null", "true", "\"5\"", "[5]", "{}"}) EXPECT_FALSE(exact_number(value(other))) << other;
}

TEST(ValueFacts, MultiplesTolerateRounding) {
  EXPECT_TRUE(is_multiple(0.3, 0.1));
  EXPECT_TRUE(is_multiple(19.99, 0.01));
  EXPECT_TRUE(is_multiple(-0.7, 0.1));
  EXPECT_TRUE(is_multiple(0, 0.1));
  EXPECT_FALSE(is_multiple(0.35, 0.1));
  EXPECT_FALSE(is_multiple(19.995, 0.01));
  EXPECT_TRUE(is_multiple(4.5, 1.5));
  EXPECT_FALSE(is_multiple(1, 2));
}

TEST(ValueFacts, WholeMultiplesAreExactHoweverLarge) {
  EXPECT_TRUE(is_multiple(18446744073709551615.0L, 5));
  EXPECT_FALSE(is_multiple(18446744073709551614.0L, 5));
  EXPECT_TRUE(is_multiple(-9223372036854775808.0L, 2));
  // The quotient is beyond every double: neither a crash nor a wrong yes by infinity equal to infinity.
  EXPECT_FALSE(is_multiple(std::numeric_limits<double>::max(), 0.123456789));
}

TEST(ValueFacts, LengthsAreCharacters) {
  EXPECT_EQ(length_of(""), 0U);
  EXPECT_EQ(length_of("abc"), 3U);
  EXPECT_EQ(length_of("\xC3\x84nne"), 4U);
  EXPECT_EQ(length_of("\xE4\xB8\xAD\xF0\x9F\x98\x80"), 2U);
}

TEST(ValueFacts, ElementsDifferByValue) {
  const auto differ = [](std::string_view array) { return all_differ(*value(array).array()); };
  EXPECT_TRUE(differ("[]"));
  EXPECT_TRUE(differ("[1]"));
  EXPECT_TRUE(differ(R"([1,"1",true,null,[1],{"1":1}])"));
  EXPECT_FALSE(differ("[5,5.0]"));
  EXPECT_FALSE(differ(R"([{"a":1,"b":2},{"b":2,"a":1}])"));
  EXPECT_FALSE(differ("[[1,2],[1,2]]"));
  EXPECT_TRUE(differ("[[1,2],[2,1]]"));
  EXPECT_TRUE(differ("[0,false]"));
  EXPECT_TRUE(differ("[1,true]"));
  EXPECT_TRUE(differ(R"([{"a":1},{"a":2},{"b":1}])"));
  EXPECT_FALSE(differ("[null,0,null]"));
}

TEST(ValueFacts, ManyElementsThatDifferAreFoundToDifferInTime) {
  std::string many = "[";
  for (int i = 0; i < 20'000; ++i) many += (i == 0 ? "" : ",") + std::string("{\"n\":") + std::to_string(i) + "}";
  EXPECT_TRUE(all_differ(*value(many + "]").array()));
  EXPECT_FALSE(all_differ(*value(many + ",{\"n\":7}]").array()));
}

}  // namespace
}  // namespace parlance::schema
