// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/commands/command_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parlance::hub {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

using Words = std::vector<std::string>;

Words words_of(std::string_view command) { return simple_command(command).value_or(Words{"(not simple)"}); }

TEST(CommandWords, WordsAreSplitLikeAShell) {
  EXPECT_EQ(words_of("git status"), (Words{"git", "status"}));
  EXPECT_EQ(words_of(" \t git\t status  "), (Words{"git", "status"}));
  EXPECT_EQ(words_of("cat 'a b' \"c d\" e\\ f"), (Words{"cat", "a b", "c d", "e f"}));
  EXPECT_EQ(words_of("cat a'b'\"c\"d"), (Words{"cat", "abcd"}));
  EXPECT_EQ(words_of("cat '' \"\""), (Words{"cat", "", ""}));
  EXPECT_EQ(words_of(R"(cat 'a\b' "a\b" a\b)"), (Words{"cat", "a\\b", "a\\b", "ab"}));
  EXPECT_EQ(words_of(R"(cat "a\"b" "a\\b" "a\$b" "a\`b")"), (Words{"cat", "a\"b", "a\\b", "a$b", "a`b"}));
}

TEST(CommandWords, QuotedCharactersAreLiteral) {
  EXPECT_EQ(words_of("grep '*.h; rm -rf $HOME | `x` > y & {1,2} !!'"), (Words{"grep", "*.h; rm -rf $HOME | `x` > y & {1,2} !!"}));
  EXPECT_EQ(words_of(R"(grep "*.h; rm | x > y & (z) [a] ~")"), (Words{"grep", "*.h; rm | x > y & (z) [a] ~"}));
  EXPECT_EQ(words_of(R"(grep \* \; \$HOME)"), (Words{"grep", "*", ";", "$HOME"}));
}

TEST(CommandWords, SomeCharactersArePlainInTheMiddleOfAWord) {
  EXPECT_EQ(words_of("git show HEAD~1"), (Words{"git", "show", "HEAD~1"}));
  EXPECT_EQ(words_of("cat a#b c!d"), (Words{"cat", "a#b", "c!d"}));
  for (const char* command : {"cat ~", "cat ~/x", "cat #b", "cat !b", "! cat"}) EXPECT_FALSE(simple_command(command)) << command;
}

TEST(CommandWords, SeveralCommandsAreNotSimple) {
  for (const char* command : {"a; b", "a | b", "a && b", "a || b", "a & b", "a &", "a\nb", "(a)", "{ a; }", "a `b`", "a $(b)",
                              "a \"$(b)\"", "a \"`b`\"", "if a; then b; fi", "a <(b)"})
    EXPECT_FALSE(simple_command(command)) << command;
}

TEST(CommandWords, ShellSubstitutionsAreNotSimple) {
  for (const char* command : {"ls *", "ls ?", "ls [a]", "echo $HOME", "echo \"$HOME\"", "echo ${x}", "echo {a,b}", "echo \"a!b\"",
                              "a > b", "a < b", "a 2>&1", "a >> b"})
    EXPECT_FALSE(simple_command(command)) << command;
}

TEST(CommandWords, UnfinishedCommandsAreNotSimple) {
  for (const char* command : {"echo 'a", "echo \"a", "echo a\\", "echo a\\\nb", "echo 'a\nb'", "echo \"a\\\nb\""})
    EXPECT_FALSE(simple_command(command)) << command;
}

TEST(CommandWords, EmptyTextAndAssignmentsAreNoCommand) {
  for (const char* command : {"", "  ", "''", "'' a", "A=1", "A=1 b", "PATH=/tmp ls"})
    EXPECT_FALSE(simple_command(command)) << command;
  EXPECT_EQ(words_of("dd if=a"), (Words{"dd", "if=a"})) << "after the program, a word";
}

TEST(CommandWords, ControlCharactersAreNotSimple) {
  for (const char c : {'\x01', '\x07', '\r', '\x1b', '\x0b'})
    EXPECT_FALSE(simple_command("echo a" + std::string(1, c))) << int{c};
  EXPECT_FALSE(simple_command(std::string_view("echo \0a", 7)));
}

TEST(CommandParts, AreTheCommandsOfAList) {
  EXPECT_THAT(command_parts("a 1 && b 2 | c; d\ne & f").all,
              ElementsAre(Words{"a", "1"}, Words{"b", "2"}, Words{"c"}, Words{"d"}, Words{"e"}, Words{"f"}));
  EXPECT_TRUE(command_parts("").all.empty());
  EXPECT_TRUE(command_parts(" ; | ").all.empty());
}

TEST(CommandParts, NestedCommandsAreFound) {
  const Words rm{"rm", "-rf", "/"};
  for (const char* hidden :
       {"echo $(rm -rf /)", "echo `rm -rf /`", "echo \"$(rm -rf /)\"", "echo \"a `rm -rf /` b\"", "(rm -rf /)", "{ rm -rf /; }",
        "if true; then rm -rf /; fi", "while x; do rm -rf /; done", "sudo rm -rf /", "A=1 B=2 rm -rf /", "env A=1 rm -rf /",
        "time nice rm -rf /", "nohup rm -rf / &", "echo 'a' ; 'rm' -\"rf\" /", "true && ! rm -rf /", "x > y; rm -rf / > z"}) {
    bool found = false;
    for (const Words& part : command_parts(hidden).all)
      found = found || (part.size() >= 3 && Words(part.begin(), part.begin() + 3) == rm);
    EXPECT_TRUE(found) << hidden;
  }
}

TEST(CommandParts, PrefixedCommandsAreReturnedWithAndWithoutPrefix) {
  EXPECT_THAT(command_parts("sudo -n rm x").all, ElementsAre(Words{"rm", "x"}, Words{"x"}, Words{"sudo", "-n", "rm", "x"}));
  EXPECT_THAT(command_parts("sudo").all, ElementsAre(Words{"sudo"}));
}

TEST(CommandParts, OptionValueMayBeTheCommand) {
  for (const std::string_view hidden :
       {"sudo -u root rm x", "nice -n 5 rm x", "sudo -u root -g wheel rm x", "env -u HOME A=1 rm x", "timeout -k 3 10 rm x",
        "timeout 10 rm x", "xargs -n 1 -I {} rm x", "taskset 3 nice -n 5 sudo -n rm x", "ionice -c 2 setsid -w rm x"})
    EXPECT_THAT(command_parts(hidden).all, Contains(Words{"rm", "x"})) << hidden;
  EXPECT_THAT(command_parts("sudo echo rm x").all, ElementsAre(Words{"echo", "rm", "x"}, Words{"sudo", "echo", "rm", "x"}));
}

TEST(CommandParts, OtherSpellingsAreFound) {
  for (const std::string_view hidden :
       {"2>/dev/null rm x", "</dev/null rm x", ">o rm x", "2>&1 rm x", ">&- rm x", "rm 2>e x", "r\\\nm x", "\"r\\\nm\" x",
        "/bin/rm x", "/usr/bin/sudo /bin/rm x", "$'r\\x6d' x", "$'\\162m' x", "$'a\\'b' 'y'; rm x", "$\"rm\" x", ">a>b rm x",
        "$'\\u0072m' x", "coproc rm x"})
    EXPECT_THAT(command_parts(hidden).all, Contains(Words{"rm", "x"})) << hidden;
  EXPECT_THAT(command_parts("cat <secret").all, Contains(Words{"cat", "secret"})) << "a rule may name the file";
}

TEST(CommandParts, CommandsInWordsAreFound) {
  for (const std::string_view hidden :
       {"bash -c 'rm x'", "/bin/bash -lc 'cd a && rm x'", "sh -e -c 'rm x'", "su -c'rm x' root", "su --command='rm x'",
        "eval 'rm x'", "env -S 'rm x'", "env '-Srm x'", "env --split-string='rm x'", "trap 'rm x; y' EXIT",
        "find . -name a -exec rm x", "find . -ok nice rm x", "sudo bash -c \"eval 'rm x'\"", "xargs sh -c 'rm x'"})
    EXPECT_THAT(command_parts(hidden).all, Contains(Words{"rm", "x"})) << hidden;
  EXPECT_THAT(command_parts("bash -c \"bash -c 'bash -c \\\"rm x\\\"'\"; bash -c 'rm x'").all, Contains(Words{"rm", "x"}));
  for (const std::string_view other : {"git commit -m 'rm x'", "echo -c 'rm x'"})
    EXPECT_THAT(command_parts(other).all, testing::Not(Contains(Words{"rm", "x"}))) << other;
}

TEST(CommandParts, LongPrefixesAreBounded) {
  std::string command = "sudo";
  for (int i = 0; i < 100'000; ++i) command += " -a b sudo";
  EXPECT_LT(command_parts(command + " rm x").all.size(), 100U);
  command = "eval";
  for (int i = 0; i < 1000; ++i) command += " eval 'a' bash -c";
  EXPECT_LT(command_parts(command).all.size(), 100'000U);
}

TEST(CommandParts, TooMuchToReadIsReported) {
  const auto repeated = [](std::string text, std::string_view more, int times) {
    for (int i = 0; i < times; ++i) text += more;
    return text;
  };
  EXPECT_FALSE(command_parts(repeated("", "find . -exec ", 300)).complete);
  std::string many = "find . ";
  for (int i = 0; i < 400; ++i) many += "-exec sudo bash -c 'eval " + std::to_string(i) + "' ";
  EXPECT_LT(command_parts(many).all.size(), 100'000U);
  EXPECT_FALSE(command_parts(repeated("env", " -Senv", 3000)).complete);
  EXPECT_FALSE(command_parts("$'\\x{72}m' x").complete);
  EXPECT_FALSE(command_parts(R"(bash -c "bash -c 'bash -c \"bash -c \\\"bash -c rm\\\"\"'")").complete);
  EXPECT_TRUE(command_parts("sudo bash -c 'cd a && npm test' | tee out.txt").complete);
  EXPECT_TRUE(command_parts(repeated("git add", " file", 5000)).complete);
}

TEST(CommandParts, OpenQuoteHidesNoEarlierCommand) {
  EXPECT_THAT(command_parts("rm x; echo 'a; b").all, Contains(Words{"rm", "x"}));
}

}  // namespace
}  // namespace parlance::hub
