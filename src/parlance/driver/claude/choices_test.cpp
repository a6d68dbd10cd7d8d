// SPDX-License-Identifier: Apache-2.0
// Options and slash commands of Claude Code.
#include "parlance/driver/claude/choices.h"

#include <gtest/gtest.h>

#include "parlance/driver/claude/limits.h"
#include "parlance/hub/conversation/session_setup.h"

namespace parlance::driver {
namespace {

hub::SessionSetup with_thinking(std::string value) {
  hub::SessionSetup setup{.options = claude_options()};
  setup.options->front().value = std::move(value);
  return setup;
}

TEST(ClaudeChoices, EveryValueOfThinkingIsATokenLimitOrTheSwitch) {
  const std::vector<hub::AgentOption> options = claude_options();
  ASSERT_EQ(options.size(), 1U);
  EXPECT_EQ(options[0].category, "thought_level");
  EXPECT_TRUE(hub::check_option(options[0], options[0].value));
  std::int64_t before = -1;
  for (const hub::OptionValue& value : options[0].values) {
    if (value.value == "default") continue;
    const auto tokens = thinking_tokens(with_thinking(value.value));
    ASSERT_TRUE(tokens) << value.value;
    EXPECT_GT(*tokens, before) << "from none to most";
    before = *tokens;
  }
  hub::SessionSetup usual = with_thinking("default");
  EXPECT_EQ(thinking_tokens(usual), std::nullopt);
  usual.think = true;
  EXPECT_EQ(thinking_tokens(usual), limits::claude_thinking_tokens);
  EXPECT_EQ(thinking_tokens({}), std::nullopt);
}

TEST(ClaudeChoices, CommandsAreReadFromTheReplyToInitialize) {
  const auto commands = claude_commands(
      {R"([{"name":"compact","description":"Shortens.","argumentHint":"<what to keep>"},{"name":"cost","description":"","argumentHint":""},{"description":"no name"},7])"});
  ASSERT_EQ(commands.size(), 2U);
  EXPECT_EQ(commands[0], (hub::SlashCommand{.name = "compact", .description = "Shortens.", .hint = "<what to keep>"}));
  EXPECT_EQ(commands[1], (hub::SlashCommand{.name = "cost"}));
  EXPECT_TRUE(claude_commands({"null"}).empty());
}

}  // namespace
}  // namespace parlance::driver
