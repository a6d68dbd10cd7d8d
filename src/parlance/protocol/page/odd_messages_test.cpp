// SPDX-License-Identifier: Apache-2.0
// Messages of pages of another version, and of foreign clients.
#include <gtest/gtest.h>

#include "parlance/codec/json/typed.h"
#include "parlance/protocol/page/messages.h"

namespace parlance::page {
namespace {

template <class T>
std::string read_again(std::string_view text) {
  const auto value = json::from_text<T>(text);
  return value ? json::to_text(*value) : value.error().message;
}

// The smallest of each, but `ready`, which alone needs no answer.
constexpr std::string_view smallest[] = {
    R"({"type":"open","request":"1","conversation":"c","after":0})",
    R"({"type":"older","request":"1","conversation":"c","before":0})",
    R"({"type":"close","request":"1","conversation":"c"})",
    R"({"type":"new","request":"1","agent":"a","folder":"/f"})",
    R"({"type":"prompt","request":"1","conversation":"c","text":""})",
    R"({"type":"withdraw","request":"1","conversation":"c","queued":"q"})",
    R"({"type":"stop","request":"1","conversation":"c"})",
    R"({"type":"go_on","request":"1","conversation":"c"})",
    R"({"type":"answer","request":"1","ask":"k","digest":"d"})",
    R"({"type":"reask","request":"1","ask":"k"})",
    R"({"type":"set","request":"1","conversation":"c"})",
    R"({"type":"set_option","request":"1","conversation":"c","option":"o","value":""})",
    R"({"type":"clear","request":"1","conversation":"c"})",
    R"({"type":"delete","request":"1","conversation":"c"})",
    R"({"type":"revoke","request":"1","rule":"r"})",
    R"({"type":"memory_search","request":"1","query":""})",
    R"({"type":"memory_list","request":"1"})",
    R"({"type":"memory_forget","request":"1","id":"m"})",
};

TEST(OddPageMessages, OptionalMembersAreNotInvented) {
  for (const std::string_view text : smallest) EXPECT_EQ(read_again<PageMessage>(text), text);
}

TEST(OddPageMessages, UnknownMembersOfALaterPageAreSkipped) {
  for (const std::string_view text : smallest) {
    std::string more(text);
    more.insert(more.size() - 1, R"(,"later":{"a":[1,null,"x"]},"":0)");
    EXPECT_EQ(read_again<PageMessage>(more), text);
  }
}

TEST(OddPageMessages, NullIsAbsentIfAllowedAndOtherwiseAFault) {
  EXPECT_EQ(
      read_again<PageMessage>(R"({"type":"new","request":"1","agent":"a","folder":"/f","mode":null,"model":null,"think":null})"),
      R"({"type":"new","request":"1","agent":"a","folder":"/f"})");
  EXPECT_TRUE(
      read_again<PageMessage>(R"({"type":"stop","request":null,"conversation":"c"})").starts_with("$.request: expected text"));
}

TEST(OddPageMessages, EachNeedsItsRequest) {
  for (const std::string_view text : smallest) {
    std::string without(text);
    without.erase(without.find(R"("request":"1")"), std::string_view(R"("request":"1",)").size());
    if (without.ends_with(',')) without.back() = '}';
    if (!without.ends_with('}')) without += '}';
    EXPECT_EQ(read_again<PageMessage>(without), "$.request: missing") << without;
  }
}

TEST(OddPageMessages, AKindOfALaterPageIsReadAsOtherAndNotAsAFault) {
  const auto value = json::from_text<PageMessage>(R"({"type":"teleport","request":"1","where":[1]})");
  ASSERT_TRUE(value.has_value()) << value.error().message;
  EXPECT_TRUE(std::holds_alternative<wire::Other>(value->value));
}

TEST(OddPageMessages, AMessageOtherThanAnObjectIsAFault) {
  for (const char* text : {"", "[]", "null", "\"ready\"", "7", "{", R"({"type":7})", R"({"type":null})", R"({"type":"ready"} x)"})
    EXPECT_FALSE(json::from_text<PageMessage>(text).has_value()) << text;
}

TEST(OddPageMessages, TheKindMayStandAnywhere) {
  EXPECT_EQ(read_again<PageMessage>(R"({"conversation":"c","request":"1","type":"stop"})"),
            R"({"type":"stop","request":"1","conversation":"c"})");
}

TEST(OddPageMessages, TheEditorContextReturnsUnchanged) {
  constexpr std::string_view text =
      R"({"type":"prompt","request":"1","conversation":"c","text":"t","context":[{"path":"a","range":{"first":1,"last":18446744073709551615},"text":""},{"path":"b"}]})";
  EXPECT_EQ(read_again<PageMessage>(text), text);
}

TEST(OddPageMessages, AFileIsBase64Only) {
  const auto file = [](const std::string& data) {
    return read_again<PageMessage>(
        R"({"type":"prompt","request":"1","conversation":"c","text":"","attachments":[{"name":"","media_type":"a/b","data":)" +
        data + "}]}");
  };
  EXPECT_TRUE(file("\"!\"").starts_with("$.attachments[0].data: ")) << file("\"!\"");
  EXPECT_TRUE(file("7").starts_with("$.attachments[0].data: expected")) << file("7");
  EXPECT_TRUE(file("\"\"").starts_with(R"({"type":"prompt")")) << "an empty one is read; whether it may be is not decided here";
}

TEST(OddPageMessages, AnUnknownOperationIsAFaultOfTheHost) {
  EXPECT_FALSE(json::from_text<HostMessage>(R"({"type":"delta","seq":1,"ops":[{"op":"teleport"}]})").has_value());
  EXPECT_FALSE(json::from_text<HostMessage>(R"({"type":"ready"})").has_value()) << "that is for the other side";
}

// The gateway knows its caller, and a page may not name a second conversation for a request.
TEST(OddPageMessages, APageCannotChooseTheAuthorOfAnAnswer) {
  constexpr std::string_view text = R"({"type":"answer","request":"1","ask":"k","digest":"d","by":"ann","answer":{"by":"ann"}})";
  const auto read = json::from_text<PageMessage>(text);
  ASSERT_TRUE(read);
  EXPECT_EQ(std::get<Answer>(read->value).command.answer.by, hub::Answer{}.by);
}

TEST(OddPageMessages, APageCannotSendAttachmentsInTheFormOfTheStore) {
  constexpr std::string_view text =
      R"({"type":"prompt","request":"1","conversation":"c","text":"t","attachments":[{"about":{"id":"a","media_type":"a/b","name":"n","bytes":1},"data":"YQ=="}]})";
  EXPECT_FALSE(json::from_text<PageMessage>(text));
}

TEST(OddPageMessages, StoredValuesPassUnchanged) {
  constexpr std::string_view text = R"({"type":"delta","seq":1,"ops":[{"op":"ask","ask":{"z":1.50,"a":[ ]}}]})";
  EXPECT_EQ(read_again<HostMessage>(text), text) << "numbers and blanks of it, too";
}

TEST(OddPageMessages, ACategoryIsAmongFive) {
  EXPECT_TRUE(read_again<PageMessage>(R"({"type":"memory_list","request":"1","category":"gossip"})")
                  .starts_with("$.category: expected one of"));
}

}  // namespace
}  // namespace parlance::page
