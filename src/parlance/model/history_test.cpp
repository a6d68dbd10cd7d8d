// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/history.h"

#include <gtest/gtest.h>

namespace parlance::model {
namespace {

Message user(std::string text) { return {.role = Role::user, .content = std::move(text)}; }
Message calls(std::vector<ToolCall> calls, std::string text = {}) {
  return {.role = Role::assistant, .content = std::move(text), .tool_calls = std::move(calls)};
}
Message results(std::vector<ToolResult> results) { return {.role = Role::tool, .tool_results = std::move(results)}; }

TEST(History, AWellFormedHistoryStaysUnchanged) {
  const std::vector<Message> messages{{.role = Role::system, .content = "rules"},
                                      user("hi"),
                                      calls({{"a", "read", "{}"}, {"b", "list", "{}"}}, "Both."),
                                      results({{"a", "1"}, {"b", "2", true}}),
                                      {.role = Role::assistant, .content = "Done."},
                                      user("more")};
  EXPECT_EQ(repaired(messages), messages);
}

TEST(History, ResultsAreBroughtIntoTheOrderOfTheCallsAndTogether) {
  const auto fixed =
      repaired({user("hi"), calls({{"a", "read", "{}"}, {"b", "list", "{}"}}), results({{"b", "2"}}), results({{"a", "1"}})});
  ASSERT_EQ(fixed.size(), 3U);
  EXPECT_EQ(fixed[2], results({{"a", "1"}, {"b", "2"}}));
}

TEST(History, AnInterruptedCallGetsAFailedResult) {
  const auto fixed = repaired({user("hi"), calls({{"a", "run", "{}"}}), user("stop that")});
  ASSERT_EQ(fixed.size(), 4U);
  ASSERT_EQ(fixed[2].tool_results.size(), 1U);
  EXPECT_TRUE(fixed[2].tool_results[0].failed);
  EXPECT_NE(fixed[2].tool_results[0].content.find("interrupted"), std::string::npos);
  EXPECT_EQ(fixed[3], user("stop that"));
}

TEST(History, AResultWithoutACallBecomesAUserMessage) {
  const auto fixed = repaired({user("hi"), results({{"ghost", "boo"}}), user("and?")});
  ASSERT_EQ(fixed.size(), 3U);
  EXPECT_EQ(fixed[0].role, Role::user);
  EXPECT_NE(fixed[0].content.find("boo"), std::string::npos);
}

TEST(History, ResultsWithoutIdsArePairedInOrder) {
  const auto fixed = repaired({user("hi"), calls({{"", "read", "{}"}, {"", "list", "{}"}}), results({{"", "1"}, {"", "2"}})});
  ASSERT_EQ(fixed.size(), 3U);
  EXPECT_FALSE(fixed[1].tool_calls[0].id.empty());
  EXPECT_NE(fixed[1].tool_calls[0].id, fixed[1].tool_calls[1].id);
  EXPECT_EQ(fixed[2], results({{fixed[1].tool_calls[0].id, "1"}, {fixed[1].tool_calls[1].id, "2"}}));
}

TEST(History, CallsWithACommonIdAreSeparatedInEveryRound) {
  const auto fixed = repaired({user("hi"), calls({{"a", "read", "{}"}, {"a", "list", "{}"}}), results({{"a", "1"}, {"a", "2"}}),
                               calls({{"a", "write", "{}"}, {"a_2", "say", "{}"}}), results({{"a_2", "4"}, {"a", "3"}})});
  ASSERT_EQ(fixed.size(), 5U);
  EXPECT_EQ(fixed[1], calls({{"a", "read", "{}"}, {"a_2", "list", "{}"}}));
  EXPECT_EQ(fixed[2], results({{"a", "1"}, {"a_2", "2"}}));
  EXPECT_EQ(fixed[3], calls({{"a_3", "write", "{}"}, {"a_2_2", "say", "{}"}}));
  EXPECT_EQ(fixed[4], results({{"a_3", "3"}, {"a_2_2", "4"}}));
}

TEST(History, ResultsInMessagesOfAnyRoleAreFound) {
  // Over net/rpc any message may carry them.
  Message carrier = calls({{"a", "read", "{}"}});
  carrier.tool_results = {{"a", "1"}};
  Message by_user = user("look");
  by_user.tool_results = {{"b", "2"}};
  const auto fixed = repaired({user("hi"), carrier, calls({{"b", "list", "{}"}}), by_user});
  ASSERT_EQ(fixed.size(), 6U);
  EXPECT_EQ(fixed[2], results({{"a", "1"}}));
  EXPECT_EQ(fixed[4], results({{"b", "2"}}));
  EXPECT_EQ(fixed[5], user("look"));
}

TEST(History, ABareToolMessageAnswersTheFirstOpenCall) {
  const auto fixed = repaired({user("hi"), calls({{"a", "read", "{}"}}), {.role = Role::tool, .content = "text"}});
  ASSERT_EQ(fixed.size(), 3U);
  EXPECT_EQ(fixed[2], results({{"a", "text"}}));
}

TEST(History, IdsFitEveryVendorAndStillPair) {
  const auto fixed = repaired({user("hi"), calls({{"call:1/ü", "read", "{}"}}), results({{"call:1/ü", "1"}})});
  EXPECT_EQ(fixed[1].tool_calls[0].id, "call_1___");
  EXPECT_EQ(fixed[2].tool_results[0], (ToolResult{"call_1___", "1"}));
}

TEST(History, EmptyMessagesAreLeftOut) { EXPECT_EQ(repaired({user(""), {.role = Role::assistant}, user("hi")}).size(), 1U); }

TEST(History, TheLoopBeginsAfterThePersonsLastMessage) {
  EXPECT_EQ(loop_start({user("a"), calls({{"a", "read", "{}"}}), results({{"a", "1"}})}), 1U);
  EXPECT_EQ(loop_start({}), 0U);
}

}  // namespace
}  // namespace parlance::model
