// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/attachment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/codec/json/value.h"
#include "parlance/model/provider/anthropic.h"
#include "parlance/model/provider/openai.h"

namespace parlance::model {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const Attachment picture{.media_type = "image/png", .name = "a.png", .data = "\x89PNG"};
const Attachment pdf{.media_type = "application/pdf", .name = "a.pdf", .data = "abc"};
const Attachment notes{.media_type = "text/plain", .name = "a.txt", .data = "one\xff"};
const Attachment far{.media_type = "image/png", .url = "https://example.org/a.png"};
const Attachment sound{.media_type = "audio/wav", .data = std::string(2000, 'x')};

TEST(Attachment, AsBlocksOfAnthropic) {
  EXPECT_EQ(anthropic_block(picture),
            R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw=="}})");
  EXPECT_EQ(anthropic_block(far), R"({"type":"image","source":{"type":"url","url":"https://example.org/a.png"}})");
  EXPECT_EQ(anthropic_block(pdf),
            R"({"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"YWJj"},"title":"a.pdf"})");
  EXPECT_EQ(anthropic_block(notes),
            "{\"type\":\"document\",\"source\":{\"type\":\"text\",\"media_type\":\"text/"
            "plain\",\"data\":\"one\xef\xbf\xbd\"},\"title\":\"a.txt\"}");
  EXPECT_FALSE(anthropic_block(sound));
  EXPECT_FALSE(anthropic_block({.media_type = "image/svg+xml", .data = "<svg/>"}));
  for (const Attachment& attachment : {picture, pdf, notes, far, sound})
    EXPECT_EQ(has_anthropic_block(attachment), anthropic_block(attachment).has_value());
}

TEST(Attachment, AsPartsOfOpenAi) {
  EXPECT_EQ(openai_part(picture), R"({"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw=="}})");
  EXPECT_EQ(openai_part(far), R"({"type":"image_url","image_url":{"url":"https://example.org/a.png"}})");
  EXPECT_EQ(openai_part(pdf), R"({"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,YWJj"}})");
  EXPECT_THAT(*openai_part(notes), HasSubstr("a.txt:\\none"));
  EXPECT_FALSE(openai_part(sound));
  EXPECT_FALSE(openai_part({.media_type = "application/pdf", .url = "https://example.org/a.pdf"}));
  for (const Attachment& attachment : {picture, pdf, notes, far, sound})
    EXPECT_EQ(has_openai_part(attachment), openai_part(attachment).has_value());
}

TEST(Attachment, TheKindsHaveABlockAndAPart) {
  for (const std::string_view kind : attachment_kinds()) {
    const Attachment attachment{.media_type = kind == "text/*" ? "text/x-python" : std::string(kind)};
    EXPECT_TRUE(has_anthropic_block(attachment)) << kind;
    EXPECT_TRUE(has_openai_part(attachment)) << kind;
  }
}

TEST(Attachment, UnreadableContentIsDescribedInWords) {
  EXPECT_EQ(
      unseen_note(picture),
      "(With this message came an image (a.png, image/png, 4 bytes), which cannot be shown to you. Tell the person that you do "
      "not see it.)");
  EXPECT_THAT(unseen_note(sound), HasSubstr("a file (audio/wav, 2 KiB)"));
  EXPECT_THAT(unseen_note({.media_type = "image/png"}, 3U << 20), HasSubstr("3 MiB"));
  EXPECT_THAT(unseen_note(far), HasSubstr("at https://example.org/a.png"));
}

json::Value last_content(const std::string& body) {
  const json::Value parsed = *json::parse(body);
  return *parsed.find("messages")->array()->back().find("content");
}

TEST(Attachment, InTheBodiesOfRequests) {
  const ChatRequest request{.messages = {{.role = Role::user, .content = "look", .attachments = {picture, sound}}}};
  json::Value content = last_content(openai_body(request, {}));
  ASSERT_EQ(content.array()->size(), 2U);
  EXPECT_THAT((*content.array())[0].text_or("text", ""), HasSubstr("look\n\n(With this message came a file"));
  EXPECT_EQ((*content.array())[1].text_or("type", ""), "image_url");

  content = last_content(anthropic_body(request, ThinkingWay::none));
  ASSERT_EQ(content.array()->size(), 2U);
  EXPECT_EQ((*content.array())[0].text_or("type", ""), "image");
  EXPECT_THAT((*content.array())[1].text_or("text", ""), HasSubstr("a file (audio/wav"));
}

TEST(Attachment, AMessageWithAPictureOnlyIsAnswered) {
  const ChatRequest request{.messages = {{.role = Role::user, .attachments = {picture}}}};
  EXPECT_EQ(last_content(openai_body(request, {})).array()->size(), 1U);
  EXPECT_EQ(last_content(anthropic_body(request, ThinkingWay::none)).array()->size(), 1U);
}

TEST(Attachment, APictureTravelsUnderTheTypeOfItsFirstBytes) {
  constexpr std::string_view jpeg = "\xff\xd8\xff\xe0";
  EXPECT_EQ(picture_type(jpeg), "image/jpeg");
  EXPECT_EQ(picture_type("\x89PNG\r\n"), "image/png");
  EXPECT_EQ(picture_type("GIF89a"), "image/gif");
  EXPECT_EQ(picture_type("RIFF\x01\x01\x01\x01WEBPVP8 "), "image/webp");
  for (const char* other : {"", "RIFF", "RIFF\x01\x01\x01\x01WAVE", "<svg/>", "%PDF", "GI"})
    EXPECT_EQ(picture_type(other), "") << other;
  const Attachment misnamed{.media_type = "image/png", .name = "a.png", .data = std::string(jpeg)};
  EXPECT_THAT(*anthropic_block(misnamed), HasSubstr(R"("media_type":"image/jpeg")"));
  EXPECT_THAT(*openai_part(misnamed), HasSubstr("data:image/jpeg;base64,"));
  EXPECT_EQ(checked_media_type("$", "image/png", jpeg).value(), "image/jpeg");
  EXPECT_EQ(checked_media_type("$", "image/jpg", jpeg).value(), "image/jpeg");
}

TEST(Attachment, DataOfOtherTypesUnderANamedPictureTypeIsRefused) {
  const Attachment text{.media_type = "image/png", .name = "a.png", .data = "hello"};
  EXPECT_FALSE(anthropic_block(text));
  EXPECT_FALSE(openai_part(text));
  const auto refused = checked_media_type("$.a", "image/webp", "hello");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::invalid_params);
  EXPECT_THAT(refused.error().message, HasSubstr("$.a: the data is no picture"));
  EXPECT_EQ(checked_media_type("$", "image/svg+xml", "<svg/>").value(), "image/svg+xml") << "a file like any other";
  EXPECT_EQ(checked_media_type("$", "text/plain", "hello").value(), "text/plain");
}

}  // namespace
}  // namespace parlance::model
