// SPDX-License-Identifier: Apache-2.0
// The meaning of .gitignore lines, compared with git.
#include "parlance/workspace/ignore_rules.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/base/text.h"

namespace parlance::workspace {
namespace {

struct RuleCase {
  const char* rules;
  const char* path;
  bool ignored;
};

TEST(IgnoreRules, AreReadAsGitReadsThem) {
  for (const RuleCase& rule_case : std::initializer_list<RuleCase>{{"*.o", "a/b.o", true},
                                                                   {"*.o", "a/b.obj", false},
                                                                   {"/x", "x", true},
                                                                   {"/x", "a/x", false},
                                                                   {"a/x", "b/a/x", false},
                                                                   {"**/x/y", "b/c/x/y", true},
                                                                   {"a/**/b", "a/b", true},
                                                                   {"a/**/b", "a/1/2/b", true},
                                                                   {"a/**", "a/1/2", true},
                                                                   {"a/**", "a", false},
                                                                   {"x\n!x", "x", false},
                                                                   {"!x\nx", "x", true},
                                                                   {"# x", "# x", false},
                                                                   {"\\#x", "#x", true},
                                                                   {"\\!x", "!x", true},
                                                                   {"x  ", "x", true},
                                                                   {"x\r", "x", true},
                                                                   {"[a-c]?", "bx", true},
                                                                   {"[!a-c]?", "bx", false},
                                                                   {"[]x]", "]", true},
                                                                   {"[x", "[x", false},
                                                                   {"x[[:digit:]]", "x5", true},
                                                                   {"x[[:digit:]]", "xa", false},
                                                                   {"x[![:alpha:]_]", "x5", true},
                                                                   {"x[![:alpha:]_]", "x_", false},
                                                                   {"x[[:upper:][:space:]-]", "x-", true},
                                                                   {"x[[:bogus:]x]", "xx", false},
                                                                   {"x[[:x]", "x:", true},
                                                                   {"x[a-\\c]", "xb", true},
                                                                   {"x[\\]]", "x]", true},
                                                                   {"a*b*c", "axxbxxbc", true},
                                                                   {"a*b*c", "axxbxx", false},
                                                                   {"/", "x", false},
                                                                   {"", "x", false},
                                                                   {"d/", "d", false},
                                                                   {"doc/*.txt", "doc/a/b.txt", false}})
    EXPECT_EQ(IgnoreRules(rule_case.rules).ignores(rule_case.path, false).value_or(false), rule_case.ignored)
        << rule_case.rules << " on " << rule_case.path;
  EXPECT_TRUE(IgnoreRules("d/").ignores("a/d", true).value_or(false)) << "a folder";
  EXPECT_FALSE(IgnoreRules("x").ignores("y", false)) << "no rule matches";
}

// Files in an ignored folder are ignored, regardless of other rules.
bool is_left_out(const IgnoreRules& rules, const std::string& path) {
  for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1))
    if (rules.ignores(path.substr(0, slash), true).value_or(false)) return true;
  return rules.ignores(path, false).value_or(false);
}

std::set<std::string> left_out_by_git(const std::filesystem::path& folder) {
  const std::string command = "git -c core.quotePath=false -C '" + folder.string() + "' check-ignore --no-index --stdin <'" +
                              (folder / "paths").string() + "'";
  const std::unique_ptr<FILE, int (*)(FILE*)> output(::popen(command.c_str(), "r"), ::pclose);
  std::string text;
  for (int c = std::fgetc(output.get()); c != EOF; c = std::fgetc(output.get())) text += static_cast<char>(c);
  std::set<std::string> paths;
  for (const std::string_view line : split(text, '\n'))
    if (!line.empty()) paths.emplace(line);
  return paths;
}

// Empty names, and two stars within a name, which git interprets differently by context.
bool means_what_git_does_not_say(const std::string& line) {
  if (line.contains("//")) return true;
  for (const std::string_view part : split(line, '/'))
    if (part.contains("**") && part.find_first_not_of('*') != std::string_view::npos) return true;
  return false;
}

TEST(IgnoreRules, GeneratedRulesMatchLikeGit) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("ignore_rules." + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  ASSERT_EQ(std::system(("git init -q '" + folder.string() + "'").c_str()),
            0);  // NOLINT(*-mt-unsafe,cert-env33-c): a test, alone
  std::vector<std::string> paths;
  for (const char* name : {"a", "b", "ab", "a b", "!a", "#", "a.c"})
    for (const char* before : {"", "a/", "b/", "a/b/", "ab/a/b/"}) paths.push_back(std::string(before) + name);
  {
    std::ofstream listed(folder / "paths");
    for (const std::string& path : paths) listed << path << '\n';
  }
  constexpr const char* pieces[] = {
      "a", "b", "*",   "?",   "**", "/",  "/",   "[ab]", "[!a]", "[^b-c]", "[[:alpha:]]", "[![:digit:]b]", "[[:nothing:]]",
      "!", "#", "\\*", "\\#", " ",  ".c", "**/", "/**",  "/**/"};
  std::mt19937 random(14);  // NOLINT(cert-msc51-cpp): the same each time
  const auto below = [&random](std::size_t n) { return random() % n; };
  for (int round = 0; round < 250; ++round) {
    std::string text;
    for (std::size_t lines = 1 + below(3); lines > 0; --lines) {
      std::string line;
      do {
        line.clear();
        for (std::size_t n = 1 + below(4); n > 0; --n) line += pieces[below(std::size(pieces))];
      } while (means_what_git_does_not_say(line));
      text += line + (below(6) == 0 ? "\r\n" : "\n");
    }
    std::ofstream(folder / ".gitignore") << text;
    const std::set<std::string> theirs = left_out_by_git(folder);
    const IgnoreRules rules(text);
    for (const std::string& path : paths) EXPECT_EQ(is_left_out(rules, path), theirs.contains(path)) << path << " by\n" << text;
    if (HasFailure()) break;
  }
  std::filesystem::remove_all(folder);
}

TEST(IgnoreRules, ManyStarsCostLittle) {
  const std::string stars = "a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b";
  EXPECT_FALSE(IgnoreRules(stars).ignores(std::string(250, 'a'), false));
  std::string path = "x";
  for (int i = 0; i < 60; ++i) path += "/x";
  EXPECT_FALSE(IgnoreRules("**/x/**/x/**/x/**/x/**/x/**/y").ignores(path, false));
}

TEST(IgnoreRules, OfAnEditorMeanWholePaths) {
  const IgnoreRules rules = IgnoreRules::of_globs({"**/.git", "out", "**/*.{a,o}", "#x", "{{{{"});
  for (const char* path : {".git", "a/.git", "out", "b/c.o", "c.a", "#x"})
    EXPECT_TRUE(rules.ignores(path, false).value_or(false)) << path;
  for (const char* path : {"a/out", "c.b", "git"}) EXPECT_FALSE(rules.ignores(path, false).value_or(false)) << path;
}

}  // namespace
}  // namespace parlance::workspace
