// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/json/value.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace parlance::json {
namespace {

constexpr auto largest = std::numeric_limits<std::int64_t>::max();
constexpr auto smallest = std::numeric_limits<std::int64_t>::min();

TEST(Value, ANumberHasASingleForm) {
  EXPECT_TRUE(std::holds_alternative<std::int64_t>(Value(std::uint64_t{5}).data));
  EXPECT_TRUE(std::holds_alternative<std::int64_t>(Value(static_cast<std::uint64_t>(largest)).data));
  EXPECT_TRUE(std::holds_alternative<std::uint64_t>(Value(static_cast<std::uint64_t>(largest) + 1).data));
  EXPECT_TRUE(std::holds_alternative<std::int64_t>(Value(5).data));
  EXPECT_TRUE(std::holds_alternative<bool>(Value(true).data));
  EXPECT_TRUE(Value(nullptr).is_null());
}

TEST(Value, IntegersAreAcceptedFromWholeDoubles) {
  const auto integer = [](const Value& value) {
    std::int64_t out = 77;
    return value.integer(out) ? std::to_string(out) : "none";
  };
  EXPECT_EQ(integer(5), "5");
  EXPECT_EQ(integer(5.0), "5");
  EXPECT_EQ(integer(-0.0), "0");
  EXPECT_EQ(integer(largest), std::to_string(largest));
  EXPECT_EQ(integer(smallest), std::to_string(smallest));
  EXPECT_EQ(integer(5.5), "none");
  EXPECT_EQ(integer(1e19), "none");
  EXPECT_EQ(integer(-1e19), "none");
  EXPECT_EQ(integer(std::uint64_t{1} << 63), "none");
  EXPECT_EQ(integer(NAN), "none");
  EXPECT_EQ(integer(INFINITY), "none");
  for (const Value& other : {Value(), Value(true), Value("5"), Value(Array{5})}) EXPECT_EQ(integer(other), "none");
}

TEST(Value, NumbersAreEqualByTheirValue) {
  EXPECT_EQ(Value(5), Value(5.0));
  EXPECT_EQ(Value(0), Value(-0.0));
  EXPECT_EQ(Value(std::uint64_t{1} << 63), Value(9223372036854775808.0));
  EXPECT_FALSE(Value(largest) == Value(largest - 1)) << "not by way of a double";
  EXPECT_FALSE(Value(NAN) == Value(NAN));
  EXPECT_FALSE(Value(1) == Value(true));
  EXPECT_FALSE(Value(1) == Value("1"));
  EXPECT_FALSE(Value() == Value(0));
}

TEST(Value, ObjectsAreEqualWithMembersInAnyOrder) {
  EXPECT_EQ(*parse(R"({"a":1,"b":{"c":[1,2]}})"), *parse(R"({"b":{"c":[1.0,2]},"a":1})"));
  EXPECT_FALSE(*parse(R"({"a":1})") == *parse(R"({"a":1,"b":null})"));
  EXPECT_FALSE(*parse(R"({"a":1})") == *parse(R"({"b":1})"));
  EXPECT_FALSE(*parse("[1,2]") == *parse("[2,1]"));
  EXPECT_FALSE(*parse("{}") == *parse("[]"));
  EXPECT_FALSE(*parse("{}") == Value());
}

TEST(Value, SettingAMemberReplacesOrAppends) {
  Object object;
  object.set("a", 1);
  object.set("b", 2);
  Value& again = object.set("a", "one");
  EXPECT_EQ(to_text(Value(object)), R"({"a":"one","b":2})");
  again = 3;
  EXPECT_EQ(to_text(Value(object)), R"({"a":3,"b":2})");
}

TEST(Value, OfManyDuplicatesTheLastIsFound) {
  std::string text = "{";
  for (int i = 0; i < 300; ++i)
    text += (i == 0 ? "" : ",") + std::string(R"("m)") + std::to_string(i % 100) + "\":" + std::to_string(i);
  const auto value = parse(text + "}");
  ASSERT_TRUE(value);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(value->integer_or("m" + std::to_string(i), -1), 200 + i);
}

TEST(Value, SetReplacesTheMemberFoundByFind) {
  std::string text = "{";
  for (int i = 0; i < 100; ++i) text += "\"m" + std::to_string(i % 90) + "\":" + std::to_string(i) + ",";
  Value value = *parse(text + R"("end":0})");
  const std::size_t members = value.object()->members.size();
  value.object()->set("m5", "new");
  EXPECT_EQ(value.text_or("m5", "none"), "new");
  EXPECT_EQ(value.object()->members.size(), members);
}

TEST(Value, MembersOfTheWrongKindAreTakenForAbsent) {
  const Value value = *parse(R"({"text":"t","number":5,"yes":true,"half":0.5,"nothing":null})");
  EXPECT_EQ(value.text_or("text", "x"), "t");
  EXPECT_EQ(value.text_or("number", "x"), "x");
  EXPECT_EQ(value.text_or("absent", "x"), "x");
  EXPECT_EQ(value.integer_or("number", -1), 5);
  EXPECT_EQ(value.integer_or("half", -1), -1);
  EXPECT_EQ(value.integer_or("text", -1), -1);
  EXPECT_TRUE(value.boolean_or("yes", false));
  EXPECT_TRUE(value.boolean_or("nothing", true));
  EXPECT_EQ(Value(5).find("a"), nullptr);
  EXPECT_EQ(Value(5).text_or("a", "x"), "x");
  EXPECT_EQ(Value(Array{1}).integer_or("0", -1), -1);
}

TEST(Value, NumbersBeyondEveryDoubleAreInfiniteOrZero) {
  const auto number = [](std::string_view text) {
    double out = 77;
    EXPECT_TRUE(parse(text)->number(out));
    return out;
  };
  EXPECT_EQ(number("1e400"), HUGE_VAL);
  EXPECT_EQ(number("-1e400"), -HUGE_VAL);
  EXPECT_EQ(number("1e-400"), 0);
  EXPECT_EQ(number("0e99999999999"), 0);
  EXPECT_TRUE(std::signbit(number("-0e99999999999")));
  EXPECT_TRUE(std::signbit(number("-0")));
  EXPECT_EQ(number("18446744073709551616"), 18446744073709551616.0);
  EXPECT_EQ(to_text(*parse("1e400")), "null") << "JSON has no infinity";
}

TEST(Value, TheMagnitudeOfANumberComesFromDigitsAndPower) {
  const std::string zeros(400, '0');
  const auto number_of = [](const std::string& text) {
    double number = 1;
    EXPECT_TRUE(parse(text)->number(number));
    return number;
  };
  EXPECT_EQ(number_of("0." + zeros + "1"), 0.0) << "below one without any power";
  EXPECT_EQ(number_of("0." + zeros + "1e+5"), 0.0);
  EXPECT_EQ(number_of("1" + zeros + "e-5"), HUGE_VAL) << "above one with a negative power";
  EXPECT_EQ(number_of("-1" + zeros + ".5"), -HUGE_VAL);
  EXPECT_EQ(number_of("1" + zeros + "e-400"), 1.0);
  EXPECT_EQ(number_of("0." + zeros + "1e401"), 1.0);
  EXPECT_EQ(number_of("1e-99999999999999999999"), 0.0);
  EXPECT_EQ(number_of("1e99999999999999999999"), HUGE_VAL);
  EXPECT_EQ(number_of("0.0e99999999999999999999"), 0.0);
}

TEST(Value, EmptyAndMalformedTextIsNullOnRequest) {
  EXPECT_TRUE(parse_or_null("").is_null());
  EXPECT_TRUE(parse_or_null("{").is_null());
  EXPECT_TRUE(parse_or_null("\xFF").is_null());
  EXPECT_EQ(parse_or_null("[1]"), Value(Array{1}));
}

TEST(Value, AFaultNamesTheByte) {
  EXPECT_EQ(parse("\xFF").error().message, "the document is not UTF-8");
  EXPECT_EQ(parse("").error().message.substr(0, 10), "at byte 0:");
  EXPECT_EQ(parse("[1,]").error().message.substr(0, 10), "at byte 3:");
  EXPECT_EQ(parse("{\"a\" 1}").error().message.substr(0, 10), "at byte 5:");
  EXPECT_EQ(parse("1 2").error().message.substr(0, 10), "at byte 2:");
  EXPECT_FALSE(compact("[1,").has_value());
  EXPECT_FALSE(compact("\xFF").has_value());
}

TEST(Value, IsValidAcceptsExactlyTheParsableTexts) {
  for (const char* text : {"1", " [1] ", "{\"a\":[null]}", "\"\\u00e9\"", "-0.5e-3"}) EXPECT_TRUE(is_valid(text)) << text;
  for (const char* text : {"", " ", "01", "1.", ".5", "+1", "[1", "nul", "\"\\x\"", "{\"a\"}", "1 1", "\"\t\"", "\xFF"})
    EXPECT_FALSE(is_valid(text)) << text;
}

TEST(Value, CopiesAreDeepAndAMovedValueIsComplete) {
  Value first = *parse(R"({"a":[1,{"b":"c"}]})");
  Value copy = first;
  *copy.object()->members[0].second.array() = {};
  EXPECT_EQ(to_text(first), R"({"a":[1,{"b":"c"}]})");
  const Value moved = std::move(first);
  EXPECT_EQ(to_text(moved), R"({"a":[1,{"b":"c"}]})");
}

}  // namespace
}  // namespace parlance::json
