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

const Attachment picture{.media_type = "image/png", .name = "a.png", .data = "abc"};
const Attachment pdf{.media_type = "application/pdf", .name = "a.pdf", .data = "abc"};
const Attachment notes{.media_type = "text/plain", .name = "a.txt", .data = "one\xff"};
const Attachment far{.media_type = "image/png", .url = "https://example.org/a.png"};
const Attachment sound{.media_type = "audio/wav", .data = std::string(2000, 'x')};

TEST(Attachment, AsBlocksOfAnthropic) {
  EXPECT_EQ(anthropic_block(picture), R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"YWJj"}})");
  EXPECT_EQ(anthropic_block(far), R"({"type":"image","source":{"type":"url","url":"https://example.org/a.png"}})");
  EXPECT_EQ(anthropic_block(pdf),
            R"({"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"YWJj"},"title":"a.pdf"})");
  EXPECT_EQ(anthropic_block(notes),
            "{\"type\":\"document\",\"source\":{\"type\":\"text\",\"media_type\":\"text/"
            "plain\",\"data\":\"one\xef\xbf\xbd\"},\"title\":\"a.txt\"}");
  EXPECT_FALSE(anthropic_block(sound));
  EXPECT_FALSE(anthropic_block({.media_type = "image/svg+xml", .data = "<svg/>"}));
  for (const Attachment& one : {picture, pdf, notes, far, sound})
    EXPECT_EQ(has_anthropic_block(one), anthropic_block(one).has_value());
}

TEST(Attachment, AsPartsOfOpenAi) {
  EXPECT_EQ(openai_part(picture), R"({"type":"image_url","image_url":{"url":"data:image/png;base64,YWJj"}})");
  EXPECT_EQ(openai_part(far), R"({"type":"image_url","image_url":{"url":"https://example.org/a.png"}})");
  EXPECT_EQ(openai_part(pdf), R"({"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,YWJj"}})");
  EXPECT_THAT(*openai_part(notes), HasSubstr("a.txt:\\none"));
  EXPECT_FALSE(openai_part(sound));
  EXPECT_FALSE(openai_part({.media_type = "application/pdf", .url = "https://example.org/a.pdf"}));
  for (const Attachment& one : {picture, pdf, notes, far, sound}) EXPECT_EQ(has_openai_part(one), openai_part(one).has_value());
}

TEST(Attachment, TheKindsHaveABlockAndAPart) {
  for (const std::string_view kind : attachment_kinds()) {
    const Attachment one{.media_type = kind == "text/*" ? "text/x-python" : std::string(kind), .data = "abc"};
    EXPECT_TRUE(has_anthropic_block(one)) << kind;
    EXPECT_TRUE(has_openai_part(one)) << kind;
  }
}

TEST(Attachment, UnreadableContentIsDescribedInWords) {
  EXPECT_EQ(
      unseen_note(picture),
      "(With this message came an image (a.png, image/png, 3 bytes), which cannot be shown to you. Tell the person that you do "
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

  content = last_content(openai_body(request, {.attachments = false}));
  ASSERT_NE(content.text(), nullptr) << "a server that reads text alone gets text alone";
  EXPECT_THAT(*content.text(), HasSubstr("an image (a.png"));

  content = last_content(anthropic_body(request, ThinkingWay::none, true));
  ASSERT_EQ(content.array()->size(), 2U);
  EXPECT_EQ((*content.array())[0].text_or("type", ""), "image");
  EXPECT_THAT((*content.array())[1].text_or("text", ""), HasSubstr("a file (audio/wav"));
}

TEST(Attachment, AMessageWithAPictureOnlyIsAnswered) {
  const ChatRequest request{.messages = {{.role = Role::user, .attachments = {picture}}}};
  EXPECT_EQ(last_content(openai_body(request, {})).array()->size(), 1U);
  EXPECT_EQ(last_content(anthropic_body(request, ThinkingWay::none, true)).array()->size(), 1U);
}

}  // namespace
}  // namespace parlance::model
