// SPDX-License-Identifier: Apache-2.0
// tests/policy/agents.txt for the tools of Claude Code.
#include <gtest/gtest.h>

#include "parlance/adapter/claude/tools.h"
#include "parlance/codec/json/value.h"
#include "parlance/toolbox/agent_attempts_test_support.h"

namespace parlance::adapter {
namespace {

TEST(ClaudeAttempts, EndAsTheyAreWritten) {
  const toolbox::test::AttemptFolder folder;
  const auto attempts = folder.attempts("claude");
  EXPECT_GE(attempts.size(), 60U);
  for (const auto& attempt : attempts) {
    const hub::ToolIntent intent = claude_intent({.tool = attempt.label, .input = json::parse_or_null(attempt.input)},
                                                 {.own = folder.work()}, [](const std::string&) { return std::nullopt; });
    EXPECT_EQ(folder.effects(intent, folder.work()), attempt.effects)
        << "tests/policy/agents.txt:" << attempt.line << " " << attempt.label << " " << attempt.input;
  }
}

}  // namespace
}  // namespace parlance::adapter
