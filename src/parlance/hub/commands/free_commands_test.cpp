// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/commands/free_commands.h"

#include <algorithm>
#include <cctype>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/base/text.h"
#include "parlance/hub/commands/command_words.h"

namespace parlance::hub {
namespace {

using ::testing::HasSubstr;

// The possible file names of a command, with `/` behind possible folders; or the reason why the command is not free.
std::string paths_of(std::string_view command) {
  const auto form = free_form(*simple_command(command));
  if (!form) return form.error();
  std::string all;
  for (const PathWord& path : form->paths) all += (all.empty() ? "" : " ") + path.word + (path.folder_allowed ? "/" : "");
  return all;
}
bool is_free(std::string_view command) { return free_form(*simple_command(command)).has_value(); }

// ---- the table itself

TEST(FreeCommands, EveryOptionOfTheTableIsWellFormed) {
  for (const FreeCommand& command : free_commands()) {
    std::set<std::string> seen;
    for (const std::string_view option : split(command.options, ' ')) {
      if (option.empty()) continue;  // two blanks between parts of a row
      std::string name(option);
      if (std::string_view(":@?").contains(name.back())) name.pop_back();
      EXPECT_TRUE(seen.insert(name).second) << command.words << " has " << name << " twice";
      const bool of_find = command.operands == Operands::find_expression;
      const bool is_short = name.size() == 2 && name[0] == '-' && name[1] != '-';
      const bool is_long = name.size() > 3 && name.starts_with("--");
      EXPECT_TRUE(of_find || is_short || is_long) << command.words << ": " << option;
    }
  }
}

TEST(FreeCommands, NoRowHidesALaterRow) {
  const auto table = free_commands();
  for (std::size_t i = 0; i < table.size(); ++i)
    for (std::size_t j = i + 1; j < table.size(); ++j)
      EXPECT_FALSE((std::string(table[j].words) + " ").starts_with(std::string(table[i].words) + " ")) << table[j].words;
}

TEST(FreeCommands, ForcedOptionsAreNoOperands) {
  for (const FreeCommand& command : free_commands())
    for (const std::string_view option : split(command.forced, ' '))
      EXPECT_TRUE(option.empty() || option.starts_with("--")) << option;
}

// ---- parsing

TEST(FreeCommands, OptionsMatchTheTable) {
  for (const char* free : {"ls -la", "ls --color=always", "ls --color", "head -20 a", "head -n 5 a", "head -n5 a",
                           "head --lines=5 a", "head --lines 5 a", "sort -rnk2 a", "cut -d, -f1 a", "uname -a",
                           "git log -n 3 --oneline", "git log -5", "git diff --stat=80", "grep -rn --include='*.h' x ."})
    EXPECT_TRUE(is_free(free)) << free << ": " << paths_of(free);
  for (const char* command : {"ls -y",
                              "ls -ly",
                              "ls --colour",
                              "ls --col=x",
                              "ls --all=x",
                              "wc -20 a",
                              "head -n",
                              "head --lines",
                              "pwd -L=1",
                              "sort -o b a",
                              "sort -ob a",
                              "sort --output=b a",
                              "sort -ro b a",
                              "git log --output=x",
                              "git diff --ext-diff",
                              "git diff --no-index a b",
                              "tail -f a",
                              "date -s x",
                              "git branch -D x",
                              "git branch x",
                              "git tag x"})
    EXPECT_FALSE(is_free(command)) << command;
}

TEST(FreeCommands, CommandsOutsideTheTableAreNotFree) {
  for (const char* command :
       {"rm a", "git", "git push", "git stash", "git stash pop", "git remote add x y", "bash -c ls", "./ls", "/bin/ls", "LS"})
    EXPECT_FALSE(is_free(command)) << command;
  EXPECT_EQ(free_form({}).error(), "it is not in the table of commands that only read");
}

TEST(FreeCommands, ARefusalNamesTheWord) {
  EXPECT_EQ(paths_of("sort -o b a"), "`-o` is not among what `sort` may have unasked");
  EXPECT_THAT(paths_of("git log --output=x"), HasSubstr("`--output=x`"));
  EXPECT_THAT(paths_of("pwd x"), HasSubstr("`x`"));
}

TEST(FreeCommands, PossibleFileNamesAreReturned) {
  EXPECT_EQ(paths_of("cat a b"), "a b");
  EXPECT_EQ(paths_of("ls a b"), "a/ b/");
  EXPECT_EQ(paths_of("cat -- -n --help"), "-n --help");
  EXPECT_EQ(paths_of("cat - ''"), "- ");
  EXPECT_EQ(paths_of("git log -- a b"), "a/ b/");
  EXPECT_EQ(paths_of("basename /etc/passwd .x"), "");
  EXPECT_EQ(paths_of("echo /etc/passwd --version"), "");
}

TEST(FreeCommands, ExpressionIsNoFileUnlessGivenAsAnOption) {
  EXPECT_EQ(paths_of("grep x a b"), "a/ b/");
  EXPECT_EQ(paths_of("grep x"), "");
  EXPECT_EQ(paths_of("grep -e x a"), "a/");
  EXPECT_EQ(paths_of("grep a -e x b"), "a/ b/");
  EXPECT_EQ(paths_of("grep --regexp=x a"), "a/");
  EXPECT_EQ(paths_of("grep -f patterns a"), "a/ patterns/");
  EXPECT_EQ(paths_of("grep -fpatterns a"), "a/ patterns/");
  EXPECT_EQ(paths_of("grep --file=patterns a"), "a/ patterns/");
  EXPECT_EQ(paths_of("grep -rne x a"), "a/");
  EXPECT_EQ(paths_of("grep --exclude-from=list x a"), "list/ a/");
}

TEST(FreeCommands, FindHasPathsAndThenTests) {
  EXPECT_EQ(paths_of("find a b -name x -newer c"), "a/ b/ c/");
  EXPECT_EQ(paths_of("find -type f"), "");
  EXPECT_TRUE(is_free(R"(find . \( -name a -o -name b \) -print0)"));
  EXPECT_TRUE(is_free(R"(find . \! -name a)"));
  for (const char* command :
       {"find . -delete", "find . -exec rm x", "find . -execdir x", "find . -ok x", "find . -fprint x", "find . -name",
        "find . -newer", "find . -name=x", "find . -name a b", "find -L .", "find . -newermt x"})
    EXPECT_FALSE(is_free(command)) << command;
}

TEST(FreeCommands, AProgramIsKnownByItsNameAtAnyPath) {
  for (const char* free : {"git", "ls", "/usr/bin/git", "./ls"}) EXPECT_TRUE(is_free_program(free)) << free;
  for (const char* command : {"rm", "", "gi", "git status", "/", "ls/"}) EXPECT_FALSE(is_free_program(command)) << command;
}

// ---- git

TEST(FreeCommands, KeysOfGitFitPatterns) {
  EXPECT_TRUE(fits_git_key("filter.lfs.clean", "filter.*.clean"));
  EXPECT_TRUE(fits_git_key("filter.a.b.clean", "filter.*.clean"));
  EXPECT_TRUE(fits_git_key("credential.helper", "credential.*"));
  EXPECT_TRUE(fits_git_key("core.pager", "core.pager"));
  EXPECT_FALSE(fits_git_key("filter.clean", "filter.*.clean"));
  EXPECT_FALSE(fits_git_key("filter.lfs.smudge", "filter.*.clean"));
  EXPECT_FALSE(fits_git_key("core.pagers", "core.pager"));
  EXPECT_FALSE(fits_git_key("xfilter.lfs.clean", "filter.*.clean"));
}

TEST(FreeCommands, KeysAreInLowerCaseAndSettingsHaveValues) {
  const auto lower = [](std::string_view text) {
    return std::ranges::none_of(text, [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; });
  };
  for (const std::string_view key : git_keys_not_turned_off()) EXPECT_TRUE(lower(key)) << key;
  for (const std::string_view key : git_keys_turned_off()) EXPECT_TRUE(lower(key)) << key;
  for (const std::string_view setting : git_settings()) EXPECT_THAT(std::string(setting), HasSubstr("=")) << setting;
  for (const auto& [name, value] : git_environment()) EXPECT_TRUE(name.starts_with("GIT_")) << name;
}

}  // namespace
}  // namespace parlance::hub
