// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "parlance/codec/json/limits.h"
#include "parlance/codec/json/reader.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/codec/json/writer.h"

namespace parlance::json {
namespace {

using wire::field;
using wire::fields;

// ---- the document ------------------------------------------------------------------------------------------------------

TEST(Json, AcceptsTheInputOfRfc8259) {
  for (const char* text :
       {"0", "-0", "1.5e-3", "1E+2", "\"\"", "\"\\u00e9\\ud83d\\ude00\\/\"", "[]", "{}", " [ 1 , { \"a\" : null } ] ", "true",
        "false", "null", "123456789012345678901234567890", "[1e999]", "{\"a\":1,\"a\":2}"})
    EXPECT_TRUE(is_valid(text)) << text;
}

TEST(Json, RefusesInputOutsideOfRfc8259) {
  for (const char* text : {"",           " ",
                           "01",         "+1",
                           ".5",         "1.",
                           "1e",         "-",
                           "0x1",        "NaN",
                           "Infinity",   "tru",
                           "truex",      "nul",
                           "'a'",        "\"a",
                           "\"\\x\"",    "\"\\u12g4\"",
                           "\"\t\"",     "[1,]",
                           "[,1]",       "[1 2]",
                           "{\"a\":1,}", "{a:1}",
                           "{\"a\" 1}",  "{\"a\":}",
                           "{\"a\":1",   "[",
                           "]",          "1 2",
                           "{}{}",       "\xEF\xBB\xBF{}",
                           "\"\xFF\"",   "\"\xED\xA0\x80\""})
    EXPECT_FALSE(is_valid(text)) << text;
}

TEST(Json, NestingHasALimit) {
  const auto nested = [](int depth) {
    return std::string(static_cast<std::size_t>(depth), '[') + std::string(static_cast<std::size_t>(depth), ']');
  };
  EXPECT_TRUE(is_valid(nested(limits::json_depth)));
  EXPECT_FALSE(is_valid(nested(limits::json_depth + 1)));
  EXPECT_FALSE(is_valid(std::string(1'000'000, '[')));
}

TEST(Json, EveryPrefixOfADocumentIsRefused) {
  const std::string text = R"({"a":[1,-2.5e3,true,null,"x\u00e9\n"],"b":{"c":""}})";
  ASSERT_TRUE(is_valid(text));
  for (std::size_t cut = 0; cut < text.size(); ++cut) EXPECT_FALSE(is_valid(text.substr(0, cut))) << cut;
}

TEST(Json, TextIsDecodedAndLoneSurrogatesAreReplaced) {
  EXPECT_EQ(*parse(R"("a\u0041\n\ud83d\ude00\ud800x\udc00")")->text(), "aA\n\xF0\x9F\x98\x80\xEF\xBF\xBDx\xEF\xBF\xBD");
}

TEST(Json, HalfASurrogateInPassedOnJsonIsReplaced) {
  const auto raw = [](std::string_view json) {
    std::string out;
    write_raw(out, json);
    return out;
  };
  EXPECT_EQ(raw(R"("\ud99c")"), R"("\ufffd")");
  EXPECT_EQ(raw(R"("\uDC00x\uD800\ud800\udc00")"), R"("\ufffdx\ufffd\ud800\udc00")");
  EXPECT_EQ(raw(R"("\ud83d\ude00")"), R"("\ud83d\ude00")");
  EXPECT_EQ(raw(R"("\\ud99c \\\ud99c")"), R"("\\ud99c \\\ufffd")") << "an escaped backslash is none of an escape";
  EXPECT_EQ(raw(R"("\ud99c\n")"), R"("\ufffd\n")");
  for (const std::string_view same : {"", "{}", R"("\n\u0041")", R"("\u")", R"("\)"}) EXPECT_EQ(raw(same), same);
}

TEST(Json, TheLastOfDuplicateMembersWins) { EXPECT_EQ(parse(R"({"a":1,"b":2,"a":3})")->integer_or("a", 0), 3); }

TEST(Json, NumbersKeepTheirKind) {
  EXPECT_TRUE(std::holds_alternative<std::int64_t>(parse("9223372036854775807")->data));
  EXPECT_TRUE(std::holds_alternative<std::uint64_t>(parse("18446744073709551615")->data));
  EXPECT_TRUE(std::holds_alternative<double>(parse("18446744073709551616")->data));
  double huge = 0;
  EXPECT_TRUE(parse("1e999")->number(huge));
  EXPECT_TRUE(std::isinf(huge));
}

TEST(Json, DoublesComeBackBitForBit) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t bits = random();
    const auto value = std::bit_cast<double>(bits);
    if (!std::isfinite(value)) continue;
    std::string text;
    write_number(text, value);
    double back = 0;
    ASSERT_TRUE(parse(text)->number(back)) << text;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(back), bits) << text;
  }
}

TEST(Json, UnwritableValuesBecomeNullOrAReplacement) {
  std::string text;
  write_number(text, std::numeric_limits<double>::quiet_NaN());
  write_text(text, "\xFF\x01\"");
  EXPECT_EQ(text, "null\"\xEF\xBF\xBD\\u0001\\\"\"");
}

// Long texts are escaped a few kilobytes at a time; characters across such an edge stay whole. The text begins with a quote,
// because plain texts are copied at once.
TEST(Json, LongTextsReturnWithSpecialBytesAnywhere) {
  constexpr std::string_view tokens[] = {"\"", "\\", "\n", "\x01", "\"\"\"\"", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
  for (const std::size_t edge : {1024U, 2048U, 4096U, 6144U, 8192U}) {
    for (std::size_t place = edge - 20; place < edge + 20; ++place) {
      for (const std::string_view token : tokens) {
        std::string text = '"' + std::string(edge + 40, 'x');
        text.replace(place, token.size(), token);
        std::string written = "before";
        write_text(written, text);
        ASSERT_EQ(written.substr(0, 9), "before\"\\\"");
        const auto back = parse(std::string_view(written).substr(6));
        ASSERT_TRUE(back) << back.error().message;
        ASSERT_NE(back->text(), nullptr);
        ASSERT_EQ(*back->text(), text) << "at " << place;
      }
    }
  }
}

TEST(Json, InvalidUtf8InALongTextIsReplacedAnywhere) {
  for (std::size_t place = 2040; place < 2060; ++place) {
    std::string text = '"' + std::string(4000, 'x');
    text.replace(place, 2, "\xE2\x82");  // the third byte is missing
    std::string wanted = text;
    wanted.replace(place, 2, "\xEF\xBF\xBD\xEF\xBF\xBD").replace(0, 1, "\\\"");
    std::string written;
    write_text(written, text);
    ASSERT_EQ(written, '"' + wanted + '"') << "at " << place;
  }
}

TEST(Json, CompactDropsBlanksBetweenTokensOnly) {
  EXPECT_EQ(*compact(" { \"a b\" : [ 1 , \"x \\\" y\" ] } "), "{\"a b\":[1,\"x \\\" y\"]}");
  EXPECT_FALSE(compact("{"));
}

// ---- declared messages ---------------------------------------------------------------------------------------------------

enum class Level { low, high };
constexpr auto wire_names(Level) { return wire::names("low", "high"); }

struct Inner {
  int n = 0;
  static constexpr auto wire = fields(field<&Inner::n>("n", ""));
};
struct Text {
  static constexpr std::string_view tag = "text";
  std::string text{};
  static constexpr auto wire = fields(field<&Text::text>("text", ""));
};
struct Count {
  static constexpr std::string_view tag = "count";
  std::uint8_t count = 0;
  static constexpr auto wire = fields(field<&Count::count>("count", ""));
};
struct Everything {
  bool flag = false;
  std::int32_t number = 0;
  double real = 0;
  std::string text{};
  wire::Blob blob{};
  wire::Raw raw{};
  Level level = Level::low;
  wire::Open<Level> open{};
  std::vector<Inner> list{};
  std::map<std::string, int> map{};
  std::optional<std::string> maybe{};
  wire::Nullable<int> nullable{};
  wire::Tagged<"kind", Text, Count, wire::Other> either{};
  int optional_number = 7;
  static constexpr auto wire = fields(
      field<&Everything::flag>("flag", ""), field<&Everything::number>("number", ""), field<&Everything::real>("real", ""),
      field<&Everything::text>("text", ""), field<&Everything::blob>("blob", ""), field<&Everything::raw>("raw", ""),
      field<&Everything::level>("level", ""), field<&Everything::open>("open", ""), field<&Everything::list>("list", ""),
      field<&Everything::map>("map", ""), field<&Everything::maybe>("maybe", ""), field<&Everything::nullable>("nullable", ""),
      field<&Everything::either>("either", ""), field<&Everything::optional_number>("optional_number", "").or_default());
};

const std::string whole =
    R"({"flag":true,"number":-5,"real":0.5,"text":"t","blob":"AP8=","raw":{"x": [1, 2]},"level":"high","open":"strange",)"
    R"("list":[{"n":1},{"n":2}],"map":{"a":1},"nullable":null,"either":{"kind":"count","count":3},"optional_number":7})";

TEST(Typed, AMessageReturnsUnchanged) {
  const auto value = from_text<Everything>(whole);
  ASSERT_TRUE(value) << value.error().message;
  EXPECT_EQ(value->blob.bytes, std::string("\0\xFF", 2));
  EXPECT_EQ(value->raw.json, "{\"x\": [1, 2]}");
  EXPECT_EQ(value->open.unknown, "strange");
  EXPECT_EQ(value->list[1].n, 2);
  EXPECT_EQ(value->nullable.state, wire::Nullable<int>::State::null);
  EXPECT_EQ(std::get<Count>(value->either.value).count, 3);
  EXPECT_EQ(to_text(*value), whole);
}

TEST(Typed, MembersMayHaveAnyOrderAndUnknownMembersAreSkipped) {
  const auto value = from_text<Inner>(R"({"later":{"deep":[1]},"n":3,"more":null})");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->n, 3);
}

// Every required member: missing, and of the wrong type, with the place of the fault.
TEST(Typed, EveryFaultNamesItsPlace) {
  const auto object = *parse(whole);
  for (const auto& [name, value] : object.object()->members) {
    if (name == "raw" || name == "nullable" || name == "optional_number") continue;
    Object without = *object.object();
    std::erase_if(without.members, [&, n = name](const auto& member) { return member.first == n; });
    EXPECT_EQ(from_text<Everything>(to_text(Value(without))).error().message, "$." + name + ": missing");
    Object wrong = *object.object();
    wrong.set(name, name == "flag" ? Value("x") : Value(true));
    const auto read = from_text<Everything>(to_text(Value(wrong)));
    ASSERT_FALSE(read) << name;
    EXPECT_TRUE(read.error().message.starts_with("$." + name + ": expected")) << read.error().message;
    EXPECT_EQ(read.error().code, Errc::invalid_params);
  }
  EXPECT_EQ(from_text<Everything>(R"({"list":[{"n":1},{"n":"x"}]})").error().message,
            "$.list[1].n: expected an integer, found text");
  EXPECT_EQ(from_text<Inner>(R"({"n":99999999999})").error().message, "$.n: number out of range: 99999999999");
  EXPECT_EQ(from_text<Inner>(R"({"n":1.5})").error().message, "$.n: expected an integer, found 1.5");
  EXPECT_EQ(from_text<Inner>(R"({"n":1,})").error().code, Errc::invalid_request);
}

TEST(Typed, MalformedJsonIsNoValueOfAnotherKind) {
  for (const char* text : {"no JSON at all", "nul", "truth", "fine", "-", "hello", "<html>", ""}) {
    const Error why = from_text<Inner>(text).error();
    EXPECT_EQ(why.code, Errc::invalid_request) << text;
    EXPECT_TRUE(why.message.starts_with("at byte ")) << text << ": " << why.message;
  }
  EXPECT_EQ(from_text<Inner>("no JSON at all").error().message, "at byte 0: expected a value");
  EXPECT_EQ(from_text<Inner>(R"({"n":nope})").error().message, "at byte 5: expected a value");
  EXPECT_EQ(from_text<Inner>(R"({"n":"\x"})").error().code, Errc::invalid_request);
  EXPECT_EQ(from_text<Inner>("null").error().message, "$: expected an object, found null");
  EXPECT_EQ(from_text<Inner>(R"({"n":[1,{"a":null}]})").error().message, "$.n: expected an integer, found an array");
}

TEST(Typed, WholeDoublesAreIntegersAndTheOtherWayRound) {
  EXPECT_EQ(from_text<Inner>(R"({"n":5.0})")->n, 5);
  EXPECT_EQ(from_text<Inner>(R"({"n":1e3})")->n, 1000);
  EXPECT_EQ(from_text<double>("3").value(), 3.0);
}

struct FromGo {
  std::string tool_calls{};
  static constexpr auto wire = fields(field<&FromGo::tool_calls>("ToolCalls", "").also("calls"));
};

TEST(Typed, LooseNamesAreForGo) {
  for (const char* text : {R"({"tool_calls":"x"})", R"({"toolcalls":"x"})", R"({"ToolCalls":"x"})", R"({"calls":"x"})"})
    EXPECT_EQ(from_text<FromGo>(text, {.loose_names = true})->tool_calls, "x") << text;
  EXPECT_FALSE(from_text<Inner>(R"({"N":5})"));
  EXPECT_EQ(from_text<Inner>(R"({"N":5})", {.loose_names = true})->n, 5);
}

TEST(Typed, UnknownMembersOfPeopleAreFaults) {
  EXPECT_EQ(from_text<Inner>(R"({"x":{"a":1},"n":5})")->n, 5);
  EXPECT_EQ(from_text<Inner>(R"({"x":1,"n":5})", {.known_only = true}).error().message, "$.x: unknown member; known members: n");
  EXPECT_EQ(from_text<std::vector<Inner>>(R"([{"n":1},{"N":2}])", {.known_only = true}).error().message,
            "$[1].N: unknown member; known members: n");
  EXPECT_EQ(from_text<Inner>(R"({"N":5})", {.loose_names = true, .known_only = true})->n, 5);
}

// A tag in first place needs one pass, any other tag two: the results must be equal.
TEST(Typed, TheTagOfAUnionMayStandAnywhereAndTheLastOfSeveralCounts) {
  using Open = wire::Tagged<"kind", Text, Count, wire::Other>;
  const auto read = [](std::string_view text) {
    const auto value = from_text<Open>(text);
    return value ? to_text(*value) : value.error().message;
  };
  EXPECT_EQ(read(R"({"kind":"count","count":3})"), R"({"kind":"count","count":3})");
  EXPECT_EQ(read(R"({"count":3,"kind":"count"})"), R"({"kind":"count","count":3})");
  EXPECT_EQ(read(R"({"kind":"text","count":3,"kind":"count"})"), R"({"kind":"count","count":3})");
  EXPECT_EQ(read(R"({"kind":"count","count":3,"kind":"new"})"), R"({"kind":"count","count":3,"kind":"new"})");
  EXPECT_EQ(read(R"({"kind":"count","count":"x"})"), "$.count: expected an integer, found text");
  EXPECT_EQ(read(R"({"count":"x","kind":"count"})"), "$.count: expected an integer, found text");
  EXPECT_EQ(read(R"({"kind":"count"})"), "$.count: missing");
  EXPECT_EQ(read(R"({"kind":"count","count":3)"), "at byte 25: the document ends too early");
}

TEST(Typed, UnknownKindsOfAUnionAreKeptOnRequest) {
  using Open = wire::Tagged<"kind", Text, wire::Other>;
  const auto other = from_text<Open>(R"({"new":1,"kind":"from the future"})");
  ASSERT_TRUE(other);
  EXPECT_EQ(std::get<wire::Other>(other->value).raw.json, R"({"new":1,"kind":"from the future"})");
  EXPECT_EQ(to_text(*other), R"({"new":1,"kind":"from the future"})");
  using Closed = wire::Tagged<"kind", Text, Count>;
  EXPECT_EQ(from_text<Closed>(R"({"kind":"nope"})").error().message, "$.kind: unknown kind \"nope\"");
  EXPECT_EQ(from_text<Closed>(R"({"count":1})").error().message, "$.kind: missing");
}

TEST(Typed, EveryPrefixOfAMessageIsRefused) {
  for (std::size_t cut = 0; cut < whole.size(); ++cut) EXPECT_FALSE(from_text<Everything>(whole.substr(0, cut))) << cut;
}

}  // namespace
}  // namespace parlance::json
