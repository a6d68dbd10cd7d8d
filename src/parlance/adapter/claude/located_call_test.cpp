// SPDX-License-Identifier: Apache-2.0
// Claude Code opens another path than the text in its call: the policy sees the path that is opened.
#include "parlance/adapter/claude/located_call.h"

#include <gtest/gtest.h>

namespace parlance::adapter {
namespace {

LocatedCall located(std::string tool, std::string_view input, const std::string& cwd = "") {
  return located_call({.tool = std::move(tool), .input = json::parse_or_null(input)}, "/work", cwd, "/home/ada");
}
std::string path_in(const LocatedCall& call, const char* member = "file_path") {
  return std::string(call.call.input.text_or(member, ""));
}

TEST(LocatedCall, ThePathIsTheOneThatClaudeCodeOpens) {
  EXPECT_EQ(path_in(located("Read", R"({"file_path":"/etc/passwd"})")), "/etc/passwd");
  EXPECT_EQ(path_in(located("Read", R"({"file_path":" /etc/passwd"})")), "/etc/passwd");
  EXPECT_EQ(path_in(located("Read", R"({"file_path":"\u00a0\u2003/etc/passwd\ufeff\n"})")), "/etc/passwd");
  EXPECT_EQ(path_in(located("Read", R"({"file_path":"~/.ssh/id"})")), "/home/ada/.ssh/id");
  EXPECT_EQ(path_in(located("Read", R"({"file_path":"~"})")), "/home/ada");
  EXPECT_EQ(path_in(located("Read", R"({"file_path":"~x"})")), "/work/~x");
  EXPECT_EQ(path_in(located("Read", R"({"file_path":"a.txt"})")), "/work/a.txt");
  EXPECT_EQ(path_in(located("Read", R"({"file_path":"a.txt"})", "/work/src")), "/work/src/a.txt");
  EXPECT_EQ(path_in(located("NotebookEdit", R"({"notebook_path":"a"})", "/tmp"), "notebook_path"), "/tmp/a");
}

TEST(LocatedCall, ASearchHasAPlace) {
  EXPECT_EQ(path_in(located("Grep", R"({"pattern":"x"})"), "path"), "/work");
  EXPECT_EQ(path_in(located("Grep", R"({"pattern":"x"})", "/tmp"), "path"), "/tmp");
  EXPECT_EQ(path_in(located("Grep", R"({"pattern":"/etc/*","path":"src"})"), "path"), "/work/src");
  EXPECT_EQ(path_in(located("Glob", R"({"pattern":"**/*.cpp"})"), "path"), "/work");
  EXPECT_EQ(path_in(located("Glob", R"({"pattern":"/etc/ssh/*_key"})"), "path"), "/etc/ssh");
  EXPECT_EQ(path_in(located("Glob", R"({"pattern":"/*"})"), "path"), "/");
  EXPECT_EQ(path_in(located("Glob", R"({"pattern":"/etc/*","path":"/work"})"), "path"), "/etc");
}

TEST(LocatedCall, AnUnresolvablePlaceIsUnknown) {
  EXPECT_TRUE(located("Read", R"({"file_path":"/etc/passwd"})").is_known);
  for (const auto& [tool, input] : {std::pair{"Glob", R"({"pattern":"../*"})"},
                                    {"Glob", R"({"pattern":"{..,x}/*"})"},
                                    {"Glob", R"({"pattern":"~/*"})"},
                                    {"Read", R"({"file_path":["/etc/passwd"]})"},
                                    {"Read", R"({"file_path":"/work/a\u0000b"})"},
                                    {"Read", R"(["/etc/passwd"])"}})
    EXPECT_FALSE(located(tool, input).is_known) << input;
  EXPECT_FALSE(located_call({.tool = "Read", .input = json::parse_or_null(R"({"file_path":"~/x"})")}, "/work", "", "").is_known);
}

}  // namespace
}  // namespace parlance::adapter
