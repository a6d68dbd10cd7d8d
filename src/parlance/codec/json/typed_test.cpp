// SPDX-License-Identifier: Apache-2.0
// Declared messages with numbers, names and absent members at the limits of their types.
#include "parlance/codec/json/typed.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace parlance::json {
namespace {

using wire::field;
using wire::fields;

template <class T>
std::string read_as(std::string_view text) {
  const auto value = from_text<T>(text);
  return value ? to_text(*value) : value.error().message;
}

TEST(TypedNumbers, EveryWidthHasItsEnds) {
  EXPECT_EQ(read_as<std::int8_t>("-128"), "-128");
  EXPECT_EQ(read_as<std::int8_t>("127"), "127");
  EXPECT_EQ(read_as<std::int8_t>("128"), "$: number out of range: 128");
  EXPECT_EQ(read_as<std::uint8_t>("255"), "255");
  EXPECT_EQ(read_as<std::uint8_t>("256"), "$: number out of range: 256");
  EXPECT_EQ(read_as<std::uint8_t>("-1"), "$: number out of range: -1");
  EXPECT_EQ(read_as<std::int32_t>("2147483648"), "$: number out of range: 2147483648");
  EXPECT_EQ(read_as<std::uint32_t>("4294967295"), "4294967295");
  EXPECT_EQ(read_as<std::int64_t>("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(read_as<std::int64_t>("9223372036854775808"), "$: number out of range: 9223372036854775808");
  EXPECT_EQ(read_as<std::uint64_t>("18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(read_as<std::uint64_t>("18446744073709551616"), "$: number out of range: 18446744073709551616");
}

TEST(TypedNumbers, AcceptsWritersWithDoublesOnly) {
  EXPECT_EQ(read_as<std::int64_t>("1e15"), "1000000000000000");
  EXPECT_EQ(read_as<std::int64_t>("-0"), "0");
  EXPECT_EQ(read_as<std::int64_t>("-0.0"), "0");
  EXPECT_EQ(read_as<std::uint8_t>("2.55e2"), "255");
  EXPECT_EQ(read_as<std::int64_t>("1e19"), "$: number out of range: 1e19");
  EXPECT_EQ(read_as<std::int64_t>("0.5"), "$: expected an integer, found 0.5");
  EXPECT_EQ(read_as<std::int64_t>("1e400"), "$: expected an integer, found 1e400");
  EXPECT_EQ(read_as<double>("1e400"), "$: number out of range: 1e400");
  EXPECT_EQ(to_text(std::numeric_limits<double>::quiet_NaN()), "null");
}

struct Leaf {
  int n = 0;
  static constexpr auto wire = fields(field<&Leaf::n>("n", ""));
};
struct Absences {
  std::optional<int> maybe{};
  wire::Nullable<int> nullable{};
  int usual = 5;
  std::vector<int> list{};
  std::optional<wire::Raw> raw{};
  static constexpr auto wire = fields(field<&Absences::maybe>("maybe", ""), field<&Absences::nullable>("nullable", ""),
                                      field<&Absences::usual>("usual", "").or_default(),
                                      field<&Absences::list>("list", "").or_default(), field<&Absences::raw>("raw", ""));
};

TEST(TypedAbsences, NullIsAbsentExceptForNullable) {
  const auto value = from_text<Absences>(R"({"maybe":null,"nullable":null,"usual":null,"list":null,"raw":null})");
  ASSERT_TRUE(value) << value.error().message;
  EXPECT_FALSE(value->maybe);
  EXPECT_EQ(value->nullable.state, wire::Nullable<int>::State::null);
  EXPECT_EQ(value->usual, 5);
  EXPECT_TRUE(value->list.empty());
  const auto nothing = from_text<Absences>("{}");
  ASSERT_TRUE(nothing);
  EXPECT_EQ(nothing->nullable.state, wire::Nullable<int>::State::absent);
  EXPECT_EQ(to_text(*nothing), R"({"usual":5,"list":[]})");
  EXPECT_EQ(to_text(from_text<Absences>(R"({"nullable":null})").value()), R"({"nullable":null,"usual":5,"list":[]})");
}

struct OnlyIfAny {
  bool flag = false;
  std::string text{};
  std::vector<int> list{};
  struct Inner {
    std::optional<int> n{};
    std::string text{};
    static constexpr auto wire = fields(field<&Inner::n>("n", ""), field<&Inner::text>("text", "").or_absent());
  } inner{};
  static constexpr auto wire =
      fields(field<&OnlyIfAny::flag>("flag", "").or_absent(), field<&OnlyIfAny::text>("text", "").or_absent(),
             field<&OnlyIfAny::list>("list", "").or_absent(), field<&OnlyIfAny::inner>("inner", "").or_absent());
};

TEST(TypedAbsences, AnEmptyValueIsAbsentIfDeclared) {
  EXPECT_EQ(to_text(OnlyIfAny{}), "{}");
  const std::string full = R"({"flag":true,"text":"a","list":[1],"inner":{"n":0}})";
  EXPECT_EQ(read_as<OnlyIfAny>(full), full);
  EXPECT_EQ(read_as<OnlyIfAny>(R"({"flag":null,"text":"","list":[],"inner":{"n":null,"text":""}})"), "{}");
}

TEST(TypedAbsences, RequiredMembersMayNotBeNull) {
  EXPECT_EQ(read_as<Leaf>(R"({"n":null})"), "$.n: expected an integer, found null");
  EXPECT_EQ(read_as<std::vector<int>>("[1,null]"), "$[1]: expected an integer, found null");
}

TEST(TypedDuplicates, TheLastDuplicateReplacesTheFirstCompletely) {
  EXPECT_EQ(read_as<Leaf>(R"({"n":1,"n":2})"), R"({"n":2})");
  EXPECT_EQ(from_text<Absences>(R"({"list":[1,2,3],"list":[4]})")->list, std::vector<int>{4});
  EXPECT_FALSE(from_text<Absences>(R"({"maybe":1,"maybe":null})")->maybe);
  using Map = std::map<std::string, int>;
  EXPECT_EQ(from_text<Map>(R"({"a":1,"b":2,"a":3})").value(), (Map{{"a", 3}, {"b", 2}}));
}

TEST(TypedPlaces, AFaultDeepInsideNamesTheWay) {
  using Deep = std::map<std::string, std::vector<std::map<std::string, Leaf>>>;
  EXPECT_EQ(read_as<Deep>(R"({"a":[{},{"b c":{"n":"x"}}]})"), "$.a[1].b c.n: expected an integer, found text");
  EXPECT_EQ(read_as<Deep>(R"({"a":[{"b":{}}]})"), "$.a[0].b.n: missing");
  EXPECT_EQ(read_as<Deep>(R"({"a":{}})"), "$.a: expected an array, found an object");
}

TEST(TypedTexts, AreTextOrBytesOrWords) {
  EXPECT_EQ(read_as<wire::Blob>("\"AP8=\""), "\"AP8=\"");
  for (const char* bad : {"\"AP8\"", "\"A\"", "\"AP8=\\n\"", "\"*\""})
    EXPECT_EQ(read_as<wire::Blob>(bad), "$: expected base64 text");
  EXPECT_EQ(read_as<wire::Blob>("5"), "$: expected base64 text, found a number");
  EXPECT_EQ(read_as<std::string>("\"\\u00e9\\n\""), "\"\xC3\xA9\\n\"");
  EXPECT_EQ(from_text<std::string>("\"\xFF\"").error().message, "the document is not UTF-8");
}

TEST(TypedTexts, RawStaysUnchanged) {
  EXPECT_EQ(read_as<wire::Raw>(R"( [1, { "a" : 1e2 } ] )"), R"([1, { "a" : 1e2 } ])");
  EXPECT_EQ(to_text(wire::Raw{}), "null");
  EXPECT_EQ(from_text<wire::Raw>("[1,]").error().code, Errc::invalid_request);
}

TEST(TypedDocuments, TrailingTextIsAFault) {
  EXPECT_EQ(from_text<int>("5 5").error().code, Errc::invalid_request);
  EXPECT_EQ(from_text<Leaf>(R"({"n":1}})").error().code, Errc::invalid_request);
  EXPECT_EQ(read_as<int>(" \t\r\n5\n "), "5");
}

TEST(TypedDocuments, NestingBeyondTheLimitIsAFaultAndNoCrash) {
  std::string deep = R"({"later":)";
  for (int i = 0; i < 100'000; ++i) deep += '[';
  EXPECT_EQ(from_text<Leaf>(deep).error().code, Errc::invalid_request);
}

}  // namespace
}  // namespace parlance::json
