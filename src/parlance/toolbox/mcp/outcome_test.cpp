// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/mcp/outcome.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/base/base64.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/protocol/mcp/lenient.h"

namespace parlance::toolbox {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const std::string png("\x89PNG\0\1", 6);
const std::string jpeg = "\xff\xd8\xff\xe0";

hub::ToolOutcome outcome(const std::string& content, bool failed = false) {
  auto result = mcp::read_call_result({R"({"content":[)" + content + R"(],"isError":)" + (failed ? "true}" : "false}")});
  EXPECT_TRUE(result) << content;
  return result ? outcome_of(*std::move(result)) : hub::ToolOutcome{};
}
std::string image(std::string_view data, std::string_view type = "image/png") {
  return R"({"type":"image","data":")" + std::string(data) + R"(","mimeType":")" + std::string(type) + R"("})";
}
std::string blob(std::string_view bytes, std::string_view type) {
  return R"({"type":"resource","resource":{"uri":"file:///a","mimeType":")" + std::string(type) + R"(","blob":")" +
         to_base64(bytes) + R"("}})";
}
std::string text(std::string_view words) { return R"({"type":"text","text":")" + std::string(words) + R"("})"; }

TEST(McpOutcome, PicturesAreAttachmentsAndEverythingElseIsText) {
  const hub::ToolOutcome done =
      outcome(text("before") + "," + image(to_base64(png)) + "," + blob(jpeg, "image/jpeg") + "," +
              blob("%PDF", "application/pdf") + R"(,{"type":"audio","data":"AAAA","mimeType":"audio/wav"},)" + text("after"));
  EXPECT_EQ(done.text,
            "before\n[an image (image/png, 6 bytes)]\n[an image (image/jpeg, 4 bytes)]\n[application/pdf, 8 bytes as base64]\n"
            "[audio/wav, 4 bytes as base64]\nafter");
  ASSERT_EQ(done.pictures.size(), 2U);
  EXPECT_EQ(done.pictures[0].data, png);
  EXPECT_EQ(done.pictures[0].about.media_type, "image/png");
  EXPECT_EQ(done.pictures[1].data, jpeg);
  EXPECT_EQ(done.state, hub::ToolEndState::done);
  EXPECT_EQ(outcome(image(to_base64(png)), true).state, hub::ToolEndState::failed);
}

TEST(McpOutcome, TheFirstBytesDecideTheTypeAndADataUrlIsRead) {
  const std::string lines = to_base64(png).insert(4, "\\r\\n");
  for (const std::string& odd : {image(to_base64(png), "image/jpeg"), image(to_base64(png), "png"),
                                 image("data:image/png;base64," + to_base64(png)), image(lines)}) {
    const hub::ToolOutcome done = outcome(odd);
    ASSERT_EQ(done.pictures.size(), 1U) << odd << ": " << done.text;
    EXPECT_EQ(done.pictures[0].about.media_type, "image/png");
    EXPECT_EQ(done.pictures[0].data, png);
  }
}

TEST(McpOutcome, ABadPictureIsASentenceAndTheRestStays) {
  const std::string large = png + std::string(hub::picture_bytes, 'x');
  for (const auto& [bad, reason] : {std::pair{image("%%%"), "Picture 1: the data is no base64"},
                                    {image(""), "Picture 1: the file is empty"},
                                    {image(to_base64("<html>")), "Picture 1: the data is no picture"},
                                    {image(to_base64("x"), "a picture"), "Picture 1: expected a media type"},
                                    {image(to_base64(large)), "Picture 1: the picture has 3932166 bytes; at most 3932160"}}) {
    const hub::ToolOutcome done = outcome(text("before") + "," + bad + "," + image(to_base64(png)) + "," + text("after"));
    EXPECT_THAT(done.text, HasSubstr("before\n[A picture of this result is left out. " + std::string(reason)));
    EXPECT_THAT(done.text, testing::EndsWith("[an image (image/png, 6 bytes)]\nafter"));
    EXPECT_EQ(done.pictures.size(), 1U) << reason;
  }
}

TEST(McpOutcome, PicturesBeyondTheLimitOfAPromptAreSentences) {
  std::string all = image(to_base64(png));
  for (std::size_t i = 0; i < limits::prompt_attachments; ++i) all += "," + image(to_base64(png));
  const hub::ToolOutcome done = outcome(all);
  EXPECT_EQ(done.pictures.size(), limits::prompt_attachments);
  EXPECT_THAT(done.text, HasSubstr("Picture 101: the pictures before it are as many as one result may have"));
}

TEST(McpOutcome, StructuredContentAloneIsText) {
  auto result = mcp::read_call_result({R"({"content":[],"structuredContent":{"value":5}})"});
  ASSERT_TRUE(result);
  const hub::ToolOutcome done = outcome_of(*std::move(result));
  EXPECT_EQ(done.text, R"({"value":5})");
  EXPECT_THAT(done.pictures, IsEmpty());
}

}  // namespace
}  // namespace parlance::toolbox
