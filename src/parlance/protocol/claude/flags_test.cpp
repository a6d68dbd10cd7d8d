// SPDX-License-Identifier: Apache-2.0
// Command lines as hosts write them.
#include "parlance/protocol/claude/flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parlance::claude {
namespace {

using ::testing::ElementsAre;

TEST(ClaudeFlags, EachMayComeAgainAndNoneIsLost) {
  const Flags flags({"--add-dir=/a", "--model", "one", "--add-dir=/b", "--model=two", "--add-dir", "/c", "/d", "--verbose"});
  EXPECT_THAT(flags.all("--add-dir"), ElementsAre("/a", "/b", "/c", "/d"));
  EXPECT_EQ(flags.text("--model"), "two") << "the last one counts";
  EXPECT_TRUE(flags.has("--verbose"));
  EXPECT_FALSE(flags.has("--print"));
  EXPECT_EQ(flags.text("--print"), "");
}

TEST(ClaudeFlags, AnEmptyValueIsAValue) {
  const Flags flags({"--tools=", "--setting-sources=", "--effort"});
  EXPECT_THAT(flags.all("--tools"), ElementsAre(""));
  EXPECT_TRUE(flags.has("--setting-sources"));
  EXPECT_THAT(flags.all("--effort"), ElementsAre()) << "a word is missing, and none is made up";
}

TEST(ClaudeFlags, FlagsWithoutValueTakeNoWord) {
  const Flags flags({"--fork-session", "hello", "--debug", "-p", "--unknown", "value", "other"});
  EXPECT_THAT(flags.all("--fork-session"), ElementsAre());
  EXPECT_TRUE(flags.has("--debug"));
  EXPECT_TRUE(flags.has("--print")) << "by its other name";
  EXPECT_THAT(flags.all("--unknown"), ElementsAre("value"));
}

TEST(ClaudeFlags, WrittenAgainTheyMeanTheSame) {
  const Flags flags({"--allowed-tools", "Read", "Bash(ls -l)", "--bare", "--json-schema={\"type\":\"object\",\"a\":\"=\"}"});
  std::vector<std::string> words;
  for (const Flag& flag : flags.list())
    for (std::string& word : words_of(flag)) words.push_back(std::move(word));
  EXPECT_THAT(words, ElementsAre("--allowedTools=Read", "--allowedTools=Bash(ls -l)", "--bare",
                                 "--json-schema={\"type\":\"object\",\"a\":\"=\"}"));
}

TEST(ClaudeFlags, ThinkingIsOnOrOffAndOtherwiseFollowsTheEffort) {
  const auto both = [](const std::vector<std::string>& words) {
    const Flags flags(words);
    return std::pair(thinking_of(flags), thinking_of_effort(flags));
  };
  using Both = std::pair<std::optional<bool>, std::optional<bool>>;
  EXPECT_EQ(both({}), Both(std::nullopt, std::nullopt));
  EXPECT_EQ(both({"--effort=high"}), Both(std::nullopt, true));
  EXPECT_EQ(both({"--effort=low"}), Both(std::nullopt, false));
  EXPECT_EQ(both({"--effort=medium"}), Both(std::nullopt, std::nullopt));
  EXPECT_EQ(both({"--effort=max", "--thinking=disabled"}), Both(false, false));
  EXPECT_EQ(both({"--effort=low", "--max-thinking-tokens=1000"}), Both(true, true));
  EXPECT_EQ(both({"--max-thinking-tokens=0"}), Both(false, false));
}

TEST(ClaudeFlags, NamesOfToolsMayContainSeparators) {
  EXPECT_THAT(tool_names("Read, Bash(git log:*, x) ,mcp__a"), ElementsAre("Read", "Bash(git log:*, x)", "mcp__a"));
  EXPECT_THAT(tool_names(""), ElementsAre());
}

}  // namespace
}  // namespace parlance::claude
