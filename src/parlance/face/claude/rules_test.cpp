// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/claude/rules.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "parlance/base/secret.h"

namespace parlance::face {
namespace {

RuledCall bash(std::string_view command) {
  json::Object input;
  input.set("command", command);
  return {.tool = "Bash", .input = std::move(input), .folder = "/project"};
}
RuledCall file(std::string tool, std::string_view path) {
  json::Object input;
  input.set("file_path", path);
  return {.tool = std::move(tool), .input = std::move(input), .folder = "/project"};
}

struct Case {
  const char* rule;
  RuledCall call;
  bool allowed;
  bool denied;
};

class ClaudeRulesFit : public ::testing::TestWithParam<Case> {};

TEST_P(ClaudeRulesFit, RulesMatchLikeClaudeCode) {
  ClaudeRules allowing;
  allowing.allow({GetParam().rule});
  EXPECT_EQ(allowing.allows(GetParam().call), GetParam().allowed) << GetParam().rule << json::to_text(GetParam().call.input);
  ClaudeRules denying;
  denying.allow({GetParam().call.tool});
  denying.deny({GetParam().rule});
  EXPECT_EQ(denying.denies(GetParam().call), GetParam().denied) << GetParam().rule << json::to_text(GetParam().call.input);
  EXPECT_EQ(denying.allows(GetParam().call), !GetParam().denied) << "what is forbidden is allowed by nothing";
}

INSTANTIATE_TEST_SUITE_P(
    Commands, ClaudeRulesFit,
    ::testing::Values(
        Case{"Bash", bash("rm -rf /"), true, true}, Case{"Bash(*)", bash("rm -rf /"), true, true},
        Case{"run_command", bash("ls"), true, true},  // by our name
        Case{"Bash(git log:*)", bash("git log"), true, true}, Case{"Bash(git log:*)", bash("git log --oneline"), true, true},
        Case{"Bash(git log:*)", bash("git logs"), false, false}, Case{"Bash(git log *)", bash("git log -1"), true, true},
        Case{"Bash(git log:*)", bash("git log && rm -rf ."), false, true},
        Case{"Bash(git log:*)", bash("git log | sh"), false, true}, Case{"Bash(git log:*)", bash("git log $(rm x)"), false, true},
        Case{"Bash(git log:*)", bash("git log > /etc/passwd"), false, true},
        Case{"Bash(git push:*)", bash("true; A=b git push"), false, true},
        Case{"Bash(git push:*)", bash("git status"), false, false}, Case{"Bash(npm run test)", bash("npm run test"), true, true},
        Case{"Bash(npm run test)", bash("npm run tests"), false, false},
        Case{"Bash(npm * --dry)", bash("npm publish --dry"), true, true}, Case{"Read", bash("ls"), false, false}));

INSTANTIATE_TEST_SUITE_P(Files, ClaudeRulesFit,
                         ::testing::Values(Case{"Read(//etc/**)", file("Read", "/etc/ssl/certs"), true, true},
                                           Case{"Read(//etc/*)", file("Read", "/etc/none/certs"), true,
                                                true},  // below a matching folder
                                           Case{"Read(//etc/**)", file("Read", "/etc/../home/me"), false, false},
                                           Case{"Read(//etc/**)", file("Write", "/etc/ssl"), false, false},
                                           Case{"Edit(/src/**)", file("Write", "/project/src/a.c"), true, true},
                                           Case{"Edit(src/**)", file("Edit", "src/a.c"), true, true},
                                           Case{"Edit(src/**)", file("Edit", "/other/src/a.c"), false, false},
                                           Case{"Read(*.env)", file("Read", "/project/deep/below/.env"), true, true},
                                           Case{"Read(*.env)", file("Read", "/project/env.txt"), false, false},
                                           Case{"Edit(secret.txt)", file("Edit", "/project/secret.txt"), true, true}));

RuledCall search(std::string tool, std::string_view path, std::string_view pattern = "") {
  json::Object input;
  if (!path.empty()) input.set("path", path);
  if (!pattern.empty()) input.set(tool == "Glob" ? "pattern" : "glob", pattern);
  return {.tool = std::move(tool), .input = std::move(input), .folder = "/project"};
}

INSTANTIATE_TEST_SUITE_P(Searches, ClaudeRulesFit,
                         ::testing::Values(Case{"Read(./secrets/**)", search("Grep", "secrets"), false, true},
                                           Case{"Read(./secrets/**)", search("Grep", "", "secrets/**"), false, true},
                                           Case{"Read(./secrets/**)", search("Glob", "", "secrets/*.txt"), false, true},
                                           Case{"Read(./secrets/**)", search("LS", "/project/secrets/"), true, true},
                                           Case{"Read(./secrets/**)", search("LS", "src"), false, false},
                                           Case{"Read(src/**)", search("Grep", "src/deep"), true, true}));

TEST(ClaudeRules, ASearchAroundADeniedFileNeedsARequest) {
  ClaudeRules rules;
  rules.allow({"Grep", "Glob"});
  rules.deny({"Read(./secrets/**)"});
  for (const RuledCall& call :
       {search("Grep", ""), search("Grep", "."), search("Grep", "", "*.txt"), search("Grep", "", "key"), search("Grep", "/"),
        search("Grep", "", "!secrets/**"), search("Grep", "", "src/** secrets/**"), search("Grep", "", "{src,secrets}/**")}) {
    EXPECT_TRUE(rules.asks(call)) << json::to_text(call.input);
    EXPECT_FALSE(rules.denies(call) || rules.allows(call)) << json::to_text(call.input);
  }
  for (const RuledCall& call : {search("Grep", "src"), search("Grep", "", "src/**"), search("Glob", "", "**/*.txt")})
    EXPECT_TRUE(rules.allows(call)) << json::to_text(call.input);
  rules.deny({"Read(*.env)"});
  EXPECT_TRUE(rules.asks(search("Grep", "src"))) << "the pattern fits in each folder";
}

TEST(ClaudeRules, APatternOfManyStarsEndsQuickly) {
  ClaudeRules rules;
  rules.deny({"Bash(*a*b*c)", "Read(**/a*/**/b*/**/c)"});
  EXPECT_FALSE(rules.denies(bash(std::string(20'000, 'a') + std::string(20'000, 'b') + "d")));
  EXPECT_TRUE(rules.denies(bash(std::string(20'000, 'a') + std::string(20'000, 'b') + "c")));
  std::string path = "/project";
  for (int i = 0; i < 500; ++i) path += "/ab";
  EXPECT_FALSE(rules.denies(file("Read", path)));
  EXPECT_TRUE(rules.denies(file("Read", "/project/x/a1/y/z/b1/c")));
  EXPECT_TRUE(rules.denies(file("Read", "/project/a1/b1/c"))) << "no folder between";
}

INSTANTIATE_TEST_SUITE_P(McpTools, ClaudeRulesFit,
                         ::testing::Values(Case{"mcp__calc", {.tool = "mcp__calc__add"}, true, true},
                                           Case{"mcp__calc__add", {.tool = "mcp__calc__add"}, true, true},
                                           Case{"mcp__calc__*", {.tool = "mcp__calc__add"}, true, true},
                                           Case{"mcp__cal", {.tool = "mcp__calc__add"}, false, false}));

TEST(ClaudeRules, LinkDoesNotExtendAnAllowRule) {
  namespace fs = std::filesystem;
  const fs::path base = fs::canonical(fs::temp_directory_path()) / make_id("parlance-");
  fs::create_directories(base / "in");
  fs::create_directories(base / "out");
  fs::create_symlink(base / "out", base / "in" / "link");
  ClaudeRules rules;
  rules.allow({"Read(/" + (base / "in").string() + "/**)"});
  EXPECT_TRUE(rules.allows(file("Read", (base / "in/file").string())));
  EXPECT_FALSE(rules.allows(file("Read", (base / "in/link/file").string())));
  ClaudeRules forbidding;
  forbidding.deny({"Read(/" + (base / "out").string() + "/**)"});
  EXPECT_TRUE(forbidding.denies(file("Read", (base / "in/link/file").string())));
  fs::remove_all(base);
}

TEST(ClaudeRules, UpdatesOfAHostAddReplaceAndRemove) {
  ClaudeRules rules;
  const claude::PermissionRule ls{.tool_name = "Bash", .content = "ls:*"};
  rules.update({.type = "addRules", .rules = {ls}, .behavior = "allow"});
  EXPECT_TRUE(rules.allows(bash("ls -l")));
  rules.update({.type = "addRules", .rules = {ls}, .behavior = "ask"});
  EXPECT_TRUE(rules.asks(bash("ls -l")));
  EXPECT_FALSE(rules.allows(bash("ls -l"))) << "asked, although another rule allows it";
  rules.update({.type = "removeRules", .rules = {ls}, .behavior = "ask"});
  EXPECT_TRUE(rules.allows(bash("ls -l")));
  rules.update({.type = "replaceRules", .rules = {{.tool_name = "Bash", .content = "cat:*"}}, .behavior = "allow"});
  EXPECT_FALSE(rules.allows(bash("ls -l")));
  EXPECT_TRUE(rules.allows(bash("cat a")));
  rules.update({.type = "setMode", .mode = "acceptEdits"});
  EXPECT_TRUE(rules.allows(bash("cat a"))) << "not about rules";
}

TEST(ClaudeRules, SuggestedRuleAnswersTheQuestion) {
  for (const RuledCall& call : {bash("git push origin main"), bash("sh -c 'echo a'"), bash("a | b"),
                                file("Read", "/etc/hostname"), RuledCall{.tool = "mcp__calc__add", .input = json::Object{}}}) {
    const json::Value suggestions = json::parse_or_null(question_about(call).suggestions_json);
    ASSERT_NE(suggestions.array(), nullptr) << json::to_text(call.input);
    ClaudeRules rules;
    for (const json::Value& suggestion : *suggestions.array()) {
      const json::Value rule = (*suggestion.find("rules")->array())[0];
      claude::PermissionRule read{.tool_name = std::string(rule.text_or("toolName", ""))};
      if (rule.find("ruleContent") != nullptr) read.content = std::string(rule.text_or("ruleContent", ""));
      rules.update({.type = std::string(suggestion.text_or("type", "")), .rules = {read}, .behavior = "allow"});
    }
    EXPECT_TRUE(rules.allows(call)) << json::to_text(suggestions);
  }
  EXPECT_EQ(question_about(file("Write", "/project/a")).suggestions_json,
            R"([{"type":"setMode","mode":"acceptEdits","destination":"session"}])");
}

}  // namespace
}  // namespace parlance::face
