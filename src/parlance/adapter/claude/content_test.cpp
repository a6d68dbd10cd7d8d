// SPDX-License-Identifier: Apache-2.0
#include "parlance/adapter/claude/content.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/hub/conversation/notice.h"

namespace parlance::adapter {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

ClaudeContent read(std::string_view json) { return read_claude_content(*json::parse(json)); }

TEST(ClaudeContent, TextAndBlocksAreRead) {
  EXPECT_EQ(read(R"("hello")").text, "hello");
  const ClaudeContent read_one = read(R"([{"type":"text","text":"one"},
    {"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"YWJj"}},
    {"type":"document","title":"T","source":{"type":"text","media_type":"text/plain","data":"words"}},
    {"type":"image","source":{"type":"url","url":"https://example.org/a.png"}},
    {"type":"text","text":"two"}])");
  EXPECT_EQ(read_one.text, "one\ntwo");
  ASSERT_EQ(read_one.attachments.size(), 3U);
  EXPECT_EQ(read_one.attachments[0].about.media_type, "image/jpeg");
  EXPECT_EQ(read_one.attachments[0].data, "abc");
  EXPECT_EQ(read_one.attachments[1].about.name, "T");
  EXPECT_EQ(read_one.attachments[1].data, "words");
  EXPECT_EQ(read_one.attachments[2].about.url, "https://example.org/a.png");
}

TEST(ClaudeContent, UnreadableContentIsMentionedInTheText) {
  for (const char* block :
       {R"({"type":"image","source":{"type":"file","file_id":"f"}})", R"({"type":"hologram"})", R"({"type":"image"})",
        R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"no base64!"}})"}) {
    const ClaudeContent claude_content = read("[{\"type\":\"text\",\"text\":\"see\"}," + std::string(block) + "]");
    EXPECT_THAT(claude_content.attachments, IsEmpty()) << block;
    EXPECT_THAT(claude_content.text, HasSubstr("see\n\n(With this message came a block")) << block;
  }
  EXPECT_THAT(read("[42,null]").text, HasSubstr("the type unknown"));
}

TEST(ClaudeContent, WrittenAndReadAgainItIsTheSame) {
  std::vector<hub::event::Failure> unseen;
  const ClaudeContent content{.text = "look", .attachments = {{.about = {.media_type = "image/png"}, .data = "\x89PNG"}}};
  const wire::Raw raw = write_claude_content(content, unseen);
  EXPECT_EQ(
      raw.json,
      R"([{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw=="}},{"type":"text","text":"look"}])");
  EXPECT_THAT(unseen, IsEmpty());
  const ClaudeContent again = read_claude_content(*json::parse(raw.json));
  EXPECT_EQ(again.text, content.text);
  EXPECT_EQ(again.attachments, content.attachments);
  EXPECT_EQ(write_claude_content({.text = "words"}, unseen).json, R"("words")");
}

// The store has lost its row: a picture without bytes would be a request that the model's server refuses.
TEST(ClaudeContent, AttachmentsMissingFromTheStoreAreNamedInTheText) {
  std::vector<hub::event::Failure> unseen;
  const wire::Raw raw = write_claude_content(
      {.text = "look", .attachments = {{.about = {.media_type = "image/png", .name = "a.png", .bytes = 5}}}}, unseen);
  ASSERT_EQ(unseen.size(), 1U);
  EXPECT_EQ(unseen[0].message, "An attachment of the message no longer exists: image/png.");
  EXPECT_EQ(
      raw.json,
      R"x("look\n\n(With this message came an image (a.png, image/png, 5 bytes), which cannot be shown to you. Tell the person that you do not see it.)")x");
}

TEST(ClaudeContent, AttachmentsWithoutABlockAreNamedInTheText) {
  std::vector<hub::event::Failure> unseen;
  const wire::Raw raw = write_claude_content({.attachments = {{.about = {.media_type = "audio/wav"}, .data = "abc"}}}, unseen);
  ASSERT_EQ(unseen.size(), 1U);
  EXPECT_EQ(unseen[0].code, "not_shown");
  EXPECT_EQ(unseen[0].message, "Claude Code cannot read attachments of the type audio/wav.");
  EXPECT_THAT(raw.json, HasSubstr("a file (audio/wav, 3 bytes)"));
}

}  // namespace
}  // namespace parlance::adapter
