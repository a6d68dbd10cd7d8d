// What the lines of a .gitignore are about, as git reads them.
#include "parlance/workspace/ignore_rules.h"

#include <gtest/gtest.h>

namespace parlance::workspace {
namespace {

struct Told {
  const char* rules;
  const char* path;
  bool ignored;
};

TEST(IgnoreRules, AreReadAsGitReadsThem) {
  for (const Told& one : std::initializer_list<Told>{{"*.o", "a/b.o", true},
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
                                                     {"[x", "[x", true},
                                                     {"a*b*c", "axxbxxbc", true},
                                                     {"a*b*c", "axxbxx", false},
                                                     {"/", "x", false},
                                                     {"", "x", false},
                                                     {"d/", "d", false},
                                                     {"doc/*.txt", "doc/a/b.txt", false}})
    EXPECT_EQ(IgnoreRules(one.rules).ignores(one.path, false).value_or(false), one.ignored) << one.rules << " on " << one.path;
  EXPECT_TRUE(IgnoreRules("d/").ignores("a/d", true).value_or(false)) << "a folder";
  EXPECT_FALSE(IgnoreRules("x").ignores("y", false)) << "says nothing of it";
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
