// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/json/reader.h"

#include <gtest/gtest.h>

namespace parlance::json {
namespace {

TEST(Reader, WalksThroughADocumentPieceByPiece) {
  Reader reader(R"( {"a" : [1, "x", true, null], "b\n": {}} )");
  ASSERT_EQ(reader.peek(), Token::object);
  ASSERT_TRUE(reader.enter_object());
  EXPECT_EQ(reader.key(), "a");
  ASSERT_TRUE(reader.enter_array());
  EXPECT_EQ(reader.read_number(), "1");
  ASSERT_TRUE(reader.next_element());
  std::string text;
  EXPECT_TRUE(reader.read_text(text));
  EXPECT_EQ(text, "x");
  ASSERT_TRUE(reader.next_element());
  bool yes = false;
  EXPECT_TRUE(reader.read_boolean(yes));
  EXPECT_TRUE(yes);
  ASSERT_TRUE(reader.next_element());
  EXPECT_TRUE(reader.read_null());
  EXPECT_FALSE(reader.next_element());
  EXPECT_TRUE(reader.ok());
  ASSERT_TRUE(reader.next_member());
  EXPECT_EQ(reader.key(), "b\n");
  EXPECT_FALSE(reader.enter_object());
  EXPECT_FALSE(reader.next_member());
  EXPECT_TRUE(reader.finish());
}

TEST(Reader, SkippedValuesAreReturnedUnchanged) {
  Reader reader(R"({"a":[ 1 , {"b":"\u0041"} ] ,"c":-1.5e+3})");
  ASSERT_TRUE(reader.enter_object());
  std::string_view raw;
  ASSERT_TRUE(reader.skip(&raw));
  EXPECT_EQ(raw, R"([ 1 , {"b":"\u0041"} ])");
  ASSERT_TRUE(reader.next_member());
  ASSERT_TRUE(reader.skip(&raw));
  EXPECT_EQ(raw, "-1.5e+3");
}

TEST(Reader, ATextWithoutEscapesIsNotCopied) {
  constexpr std::string_view document = R"("plain")";
  Reader reader(document);
  std::string_view text;
  std::string decoded;
  ASSERT_TRUE(reader.read_text(text, decoded));
  EXPECT_EQ(text, "plain");
  EXPECT_EQ(text.data(), document.data() + 1);
  EXPECT_TRUE(decoded.empty());

  Reader escaped(R"("a\tb")");
  ASSERT_TRUE(escaped.read_text(text, decoded));
  EXPECT_EQ(text, "a\tb");
  EXPECT_EQ(text.data(), decoded.data());
}

TEST(Reader, EveryEscapeMeansItsCharacter) {
  const auto decoded = [](std::string_view inside) {
    const std::string document = "\"" + std::string(inside) + "\"";
    Reader reader(document);
    std::string text;
    return reader.read_text(text) && reader.finish() ? text : std::string("fault: ") + reader.fault();
  };
  EXPECT_EQ(decoded(R"(\"\\\/\b\f\n\r\t)"), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(decoded(R"(\u0041\u00e9\u4E2D)"), "A\xC3\xA9\xE4\xB8\xAD");
  EXPECT_EQ(decoded(R"(\ud83d\ude00)"), "\xF0\x9F\x98\x80");
  EXPECT_EQ(decoded(R"(\u0000)"), std::string(1, '\0'));
  for (const char* bad : {R"(\x)", R"(\u12)", R"(\u12g4)", R"(\)", "a\nb", "a\x01"})
    EXPECT_EQ(decoded(bad).substr(0, 6), "fault:") << bad;
}

TEST(Reader, NumbersFollowTheGrammar) {
  const auto number = [](std::string_view text) {
    Reader reader(text);
    const std::string_view read = reader.read_number();
    return reader.ok() && reader.finish() ? read : "fault";
  };
  for (const char* good : {"0", "-0", "10", "1.5", "-1.25e10", "1E+2", "1e-2", "0.0", "0e0"}) EXPECT_EQ(number(good), good);
  for (const char* bad : {"", "-", "01", "-01", "1.", ".5", "1e", "1e+", "+1", "0x1", "1.5.5", "1e5e5", "Infinity", "NaN"})
    EXPECT_EQ(number(bad), "fault") << bad;
}

TEST(Reader, TheFirstFaultStays) {
  Reader reader("[1 2]");
  ASSERT_TRUE(reader.enter_array());
  reader.read_number();
  EXPECT_FALSE(reader.next_element());
  ASSERT_FALSE(reader.ok());
  const std::string first = reader.fault();
  const std::size_t place = reader.offset();
  EXPECT_EQ(place, 3U);
  EXPECT_FALSE(reader.skip());
  EXPECT_FALSE(reader.finish());
  EXPECT_FALSE(reader.fail("something else"));
  EXPECT_EQ(reader.fault(), first);
}

TEST(Reader, AMissingValueIsAFault) {
  const auto faulty = [](std::string_view text, auto ask) {
    Reader reader(text);
    ask(reader);
    return !reader.ok();
  };
  std::string text;
  bool yes = false;
  EXPECT_TRUE(faulty("[]", [](Reader& r) { r.enter_object(); }));
  EXPECT_TRUE(faulty("{}", [](Reader& r) { r.enter_array(); }));
  EXPECT_TRUE(faulty("1", [&](Reader& r) { r.read_text(text); }));
  EXPECT_TRUE(faulty("\"1\"", [](Reader& r) { r.read_number(); }));
  EXPECT_TRUE(faulty("null", [&](Reader& r) { r.read_boolean(yes); }));
  EXPECT_TRUE(faulty("truE", [&](Reader& r) { r.read_boolean(yes); }));
  EXPECT_TRUE(faulty("nul", [](Reader& r) { r.read_null(); }));
  EXPECT_TRUE(faulty("{1:2}", [](Reader& r) { r.enter_object(); }));
  EXPECT_TRUE(faulty(R"({"a",1})", [](Reader& r) { r.enter_object(); }));
}

TEST(Reader, ItsOwnDepthMayBeLess) {
  Reader shallow("[[1]]", 1);
  EXPECT_FALSE(shallow.skip());
  EXPECT_FALSE(shallow.ok());
  Reader enough("[[1]]", 2);
  EXPECT_TRUE(enough.skip());
  // Beside each other is not within each other.
  Reader wide("[[],[],[],[]]", 2);
  EXPECT_TRUE(wide.skip());
  EXPECT_TRUE(wide.finish());
}

TEST(Reader, AnEmptyInputIsATokenOfItsOwn) {
  EXPECT_EQ(Reader("").peek(), Token::end);
  EXPECT_EQ(Reader(" \t\r\n").peek(), Token::end);
  EXPECT_EQ(Reader("?").peek(), Token::bad);
  EXPECT_EQ(Reader("\xC2\xA0 1").peek(), Token::bad) << "only four characters are white space";
  for (const Token token : {Token::object, Token::array, Token::text, Token::number, Token::boolean, Token::null})
    EXPECT_FALSE(name_of(token).empty());
}

}  // namespace
}  // namespace parlance::json
