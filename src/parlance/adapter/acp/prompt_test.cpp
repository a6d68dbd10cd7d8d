// SPDX-License-Identifier: Apache-2.0
#include "parlance/adapter/acp/prompt.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parlance::adapter {
namespace {

using ::testing::HasSubstr;

TEST(Prompt, AloneThePromptIsThePersonsText) { EXPECT_EQ(build_prompt({.prompt = "hello"}), "hello"); }

TEST(Prompt, TheContextPrecedesThePromptInSections) {
  EXPECT_EQ(
      build_prompt({.working_folder = "/w",
                    .workspace_files = {"a.txt", "src/b.cpp"},
                    .active_file = "/w/a.txt",
                    .selection = PromptSelection{.file_name = "a.txt", .text = "two", .line_start = 2, .line_end = 2},
                    .files = {{.path = "/w/a.txt", .content = "one\ntwo\n"}, {.path = "/w/c", .content = "x", .cut = true}},
                    .prompt = "explain"}),
      "=== Working Directory ===\n/w\n=== End Working Directory ===\n\n"
      "=== Workspace Files ===\na.txt\nsrc/b.cpp\n=== End Workspace Files ===\n\n"
      "=== IDE Context ===\nActive File: /w/a.txt\nSelected Text (a.txt:2-2):\ntwo\n=== End IDE Context ===\n\n"
      "=== Attached Files ===\n--- /w/a.txt ---\none\ntwo\n--- /w/c ---\nx\n[... truncated ...]\n=== End Attached Files ===\n\n"
      "explain");
}

TEST(Prompt, AnEmptySectionIsOmitted) {
  EXPECT_EQ(build_prompt({.active_file = "/w/a", .prompt = "p"}),
            "=== IDE Context ===\nActive File: /w/a\n=== End IDE Context ===\n\np");
  EXPECT_EQ(
      build_prompt({.selection = PromptSelection{.file_name = "a", .text = "s", .line_start = 1, .line_end = 3}, .prompt = "p"}),
      "=== IDE Context ===\nSelected Text (a:1-3):\ns\n=== End IDE Context ===\n\np");
}

TEST(Prompt, ALongSelectionIsCutAndSaysSo) {
  const std::string prompt = build_prompt({.selection = PromptSelection{.file_name = "a", .text = std::string(6'000, 'x')}});
  EXPECT_THAT(prompt, HasSubstr("x\n[... truncated ...]\n"));
  EXPECT_LT(prompt.size(), 5'200U);
}

TEST(Prompt, ASelectionIsMeasuredInCharacters) {
  std::string text;
  for (int i = 0; i < 5'000; ++i) text += "中";
  EXPECT_THAT(build_prompt({.selection = PromptSelection{.file_name = "a", .text = text}}),
              ::testing::AllOf(HasSubstr(text), ::testing::Not(HasSubstr("truncated"))));
  EXPECT_THAT(build_prompt({.selection = PromptSelection{.file_name = "a", .text = text + "文"}}),
              HasSubstr(text + "\n[... truncated ...]\n"));
}

class PromptFileTest : public testing::Test {
 protected:
  PromptFileTest() {
    std::string name = testing::TempDir() + "prompt.XXXXXX";
    folder_ = ::mkdtemp(name.data());
  }
  ~PromptFileTest() override { std::filesystem::remove_all(folder_); }
  std::string file(std::string_view content) const {
    std::ofstream(folder_ + "/f") << content;
    return folder_ + "/f";
  }
  std::string folder_;
};

TEST_F(PromptFileTest, AFileIsReadUpToTheLimitAndMarkedIfCut) {
  EXPECT_EQ(read_prompt_file(file("12345"), 5)->content, "12345");
  EXPECT_FALSE(read_prompt_file(file("12345"), 5)->cut);
  EXPECT_EQ(read_prompt_file(file("123456"), 5)->content, "12345");
  EXPECT_TRUE(read_prompt_file(file("123456"), 5)->cut);
  EXPECT_EQ(read_prompt_file(file("ab€d"), 4)->content, "ab");
  EXPECT_EQ(read_prompt_file(file(""), 5)->content, "");
  EXPECT_EQ(read_prompt_file(file(std::string(300'000, 'x')))->content.size(), prompt_file_bytes);
}

TEST_F(PromptFileTest, ABinaryFileIsRefusedWithItsName) {
  EXPECT_EQ(read_prompt_file(folder_ + "/missing").error().code, Errc::not_found);
  EXPECT_THAT(read_prompt_file(folder_).error().message, HasSubstr(folder_ + " is no file"));
  EXPECT_THAT(read_prompt_file(file(std::string("a\0b", 3))).error().message, HasSubstr("holds no text"));
  EXPECT_THAT(read_prompt_file("/dev/zero").error().message, HasSubstr("/dev/zero is no file"));
}

}  // namespace
}  // namespace parlance::adapter
