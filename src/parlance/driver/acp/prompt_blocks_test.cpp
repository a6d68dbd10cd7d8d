// SPDX-License-Identifier: Apache-2.0
// The content of a prompt for an agent: in a supported form, without silent losses.
#include "parlance/driver/acp/prompt_blocks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/codec/json/typed.h"

namespace parlance::driver {
namespace {

using ::testing::HasSubstr;

hub::Attachment attached(std::string type, std::string name, std::string data) {
  return {.about = {.id = "a1", .media_type = std::move(type), .name = std::move(name), .bytes = data.size()},
          .data = std::move(data)};
}
const acp::PromptCapabilities all{.image = true, .audio = true, .embedded_context = true};

std::string words(const PromptBlocks& made) { return *acp::text_of(made.blocks.front()); }

TEST(AcpPrompt, TextAloneIsASingleBlock) {
  const PromptBlocks made = prompt_blocks({.text = "/web hello"});
  ASSERT_EQ(made.blocks.size(), 1U);
  EXPECT_EQ(words(made), "/web hello") << "a command of the agent stands at the beginning";
}

TEST(AcpPrompt, FileNamesAreIflowSectionsOrText) {
  const hub::Attachment list = attached(std::string(hub::file_list_type), "Workspace Files", "a.txt\nsrc/b.cpp\n");
  EXPECT_THAT(words(prompt_blocks({.text = "look", .attachments = {list}, .flavour = acp::Flavour::iflow})),
              HasSubstr("=== Workspace Files ===\na.txt\nsrc/b.cpp\n=== End Workspace Files ==="));
  EXPECT_THAT(words(prompt_blocks({.text = "look", .attachments = {list}})), HasSubstr("Workspace Files:\na.txt\nsrc/b.cpp"));
}

TEST(AcpPrompt, PicturesAndSoundsNeedSupport) {
  const PromptBlocks made =
      prompt_blocks({.text = "look",
                     .attachments = {attached("image/png", "dot.png", "\x01\x02\x03"), attached("audio/wav", "beep.wav", "abc")},
                     .can = all});
  ASSERT_EQ(made.blocks.size(), 3U);
  EXPECT_EQ(std::get<acp::ImageContent>(made.blocks[1].value).data, "AQID");
  EXPECT_EQ(std::get<acp::AudioContent>(made.blocks[2].value).mime_type, "audio/wav");
  EXPECT_TRUE(made.unseen.empty());
}

TEST(AcpPrompt, UnsupportedAttachmentIsNamedAndReported) {
  const PromptBlocks made = prompt_blocks(
      {.text = "look", .attachments = {attached("image/png", "dot.png", "abc"), attached("application/zip", "a.zip", "z")}});
  ASSERT_EQ(made.blocks.size(), 1U);
  EXPECT_THAT(words(made), HasSubstr("[dot.png, image/png, 3 bytes, was attached and cannot be shown to you]"));
  ASSERT_EQ(made.unseen.size(), 2U);
  EXPECT_THAT(made.unseen[1].message, HasSubstr("a.zip"));
}

TEST(AcpPrompt, TextFilesAreResourcesOrWords) {
  const auto input = [](acp::PromptCapabilities can) {
    return PromptInput{.text = "read", .attachments = {attached("text/plain", "a.txt", "alpha")}, .can = can};
  };
  const PromptBlocks held = prompt_blocks(input(all));
  EXPECT_EQ(std::get<acp::EmbeddedResource>(held.blocks[1].value).resource.text, "alpha");
  EXPECT_EQ(words(prompt_blocks(input({}))), "read\n\nAttached file a.txt:\nalpha");
}

TEST(AcpPrompt, BinaryBytesAreNotSentAsText) {
  const PromptBlocks made =
      prompt_blocks({.text = "x", .attachments = {attached("text/plain", "a.txt", "\xff\xfe")}, .can = all});
  EXPECT_TRUE(std::get<acp::EmbeddedResource>(made.blocks[1].value).resource.blob);
}

TEST(AcpPrompt, ExternalAttachmentIsALink) {
  hub::Attachment link = attached("image/png", "dot.png", "");
  link.about.url = "https://example.org/dot.png";
  const PromptBlocks made = prompt_blocks({.text = "x", .attachments = {link}});
  EXPECT_EQ(std::get<acp::ResourceLink>(made.blocks[1].value).uri, "https://example.org/dot.png");
}

TEST(AcpPrompt, EditorContextBecomesResources) {
  const std::vector<hub::PromptContext> context{
      {.path = "/w/a b.txt"}, {.path = "/w/c.txt", .range = hub::LineRange{.first = 3, .last = 5}, .text = "chosen"}};
  const PromptBlocks blocks = prompt_blocks({.text = "x", .context = context, .can = all});
  ASSERT_EQ(blocks.blocks.size(), 3U);
  EXPECT_EQ(std::get<acp::ResourceLink>(blocks.blocks[1].value).uri, "file:///w/a%20b.txt");
  EXPECT_EQ(std::get<acp::EmbeddedResource>(blocks.blocks[2].value).resource.uri, "file:///w/c.txt#L3-L5");
  const PromptBlocks in_words = prompt_blocks({.text = "x", .context = context});
  ASSERT_EQ(in_words.blocks.size(), 1U);
  EXPECT_THAT(words(in_words), ::testing::AllOf(HasSubstr("/w/c.txt"), HasSubstr("chosen"), ::testing::EndsWith("x")));
}

TEST(AcpPrompt, SelectionElsewhereKeepsTheActiveFile) {
  const std::vector<hub::PromptContext> context{
      {.path = "/w/a.txt", .range = hub::LineRange{.first = 1, .last = 2}, .text = std::string(6'000, 's')},
      {.path = "/w/active.txt"}};
  const PromptBlocks made = prompt_blocks({.text = "x", .context = context, .flavour = acp::Flavour::iflow});
  EXPECT_THAT(words(made), ::testing::AllOf(HasSubstr("Active File: /w/active.txt"), HasSubstr("Selected Text (a.txt:1-2):"),
                                            HasSubstr("s\n[... truncated ...]")));
}

TEST(AcpPrompt, IflowGetsSections) {
  const PromptBlocks made =
      prompt_blocks({.text = "do it",
                     .folder = "/w",
                     .context = {{.path = "/w/a.txt", .range = hub::LineRange{.first = 1, .last = 2}, .text = "sel"}},
                     .attachments = {attached("text/plain", "b.txt", std::string(300'000, 'x'))},
                     .flavour = acp::Flavour::iflow});
  ASSERT_EQ(made.blocks.size(), 1U);
  EXPECT_THAT(words(made), HasSubstr("=== Working Directory ===\n/w\n"));
  EXPECT_THAT(words(made), HasSubstr("Selected Text (a.txt:1-2):"));
  EXPECT_THAT(words(made), HasSubstr("[... truncated ...]"));
  EXPECT_THAT(words(made), ::testing::EndsWith("do it"));
  EXPECT_LT(words(made).size(), 250'000U);
}

}  // namespace
}  // namespace parlance::driver
