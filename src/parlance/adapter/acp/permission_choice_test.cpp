// SPDX-License-Identifier: Apache-2.0
#include "parlance/adapter/acp/permission_choice.h"

#include <algorithm>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parlance::adapter {
namespace {

using ::testing::HasSubstr;
using Outcome = PermissionOutcome;

constexpr auto all_outcomes = {Outcome::allow, Outcome::always_allow, Outcome::always_allow_tool,
                               Outcome::always_allow_mcp_server, Outcome::reject};

const OfferedOption once{"proceed_once", "Yes", "allow_once"};
const OfferedOption always{"proceed_always", "Always", "allow_always"};
const OfferedOption tool{"proceed_always_tool", "Always this tool", "allow_always"};
const OfferedOption server{"proceed_always_server", "Always this server", "allow_always"};
const OfferedOption cancel{"cancel", "No", "reject_once"};
const OfferedOption never{"reject_always", "Never", "reject_always"};

// The id that is answered, "cancelled", or "error".
std::string chosen(Outcome outcome, std::vector<OfferedOption> offered) {
  const auto choice = choose_option(outcome, offered);
  if (!choice) return "error";
  return choice->option ? choice->option->id : "cancelled";
}

TEST(PermissionChoice, EachOutcomeHasItsIdOfIFlow) {
  const std::vector<OfferedOption> offered{never, server, tool, always, once, cancel};
  EXPECT_EQ(chosen(Outcome::allow, offered), "proceed_once");
  EXPECT_EQ(chosen(Outcome::always_allow, offered), "proceed_always");
  EXPECT_EQ(chosen(Outcome::always_allow_tool, offered), "proceed_always_tool");
  EXPECT_EQ(chosen(Outcome::always_allow_mcp_server, offered), "proceed_always_server");
  EXPECT_EQ(chosen(Outcome::reject, offered), "cancel");
}

TEST(PermissionChoice, OtherAgentsAreUnderstoodByKind) {
  const std::vector<OfferedOption> opencode{
      {"once", "", "allow_once"}, {"always", "", "allow_always"}, {"reject", "", "reject_once"}};
  EXPECT_EQ(chosen(Outcome::allow, opencode), "once");
  for (const Outcome outcome : {Outcome::always_allow, Outcome::always_allow_tool, Outcome::always_allow_mcp_server})
    EXPECT_EQ(chosen(outcome, opencode), "always");
  EXPECT_EQ(chosen(Outcome::reject, opencode), "reject");
  const std::vector<OfferedOption> qwen{
      {"proceed_always_project", "", "allow_always"}, {"proceed_always_user", "", "allow_always"}, once};
  EXPECT_EQ(chosen(Outcome::always_allow, qwen), "proceed_always_project");
}

TEST(PermissionChoice, NothingBeyondTheDecisionIsGranted) {
  EXPECT_EQ(chosen(Outcome::allow, {always, tool, server, cancel}), "error");
  EXPECT_EQ(chosen(Outcome::always_allow, {once, cancel}), "error");
  EXPECT_EQ(chosen(Outcome::always_allow_tool, {server, once}), "error");
  EXPECT_EQ(chosen(Outcome::always_allow, {server}), "error");
  EXPECT_EQ(chosen(Outcome::allow, {}), "error");
}

// The reverse grants less than the decision, and the driver reports the difference.
TEST(PermissionChoice, AnApprovalOfAServerMayBecomeAnApprovalOfATool) {
  EXPECT_EQ(chosen(Outcome::always_allow_mcp_server, {tool, once}), "proceed_always_tool");
  EXPECT_EQ(chosen(Outcome::always_allow, {tool, server}), "proceed_always_tool");
}

TEST(PermissionChoice, ARejectNeverBecomesAnApprovalNorAStandingReject) {
  EXPECT_EQ(chosen(Outcome::reject, {once, always, never}), "cancelled");
  EXPECT_EQ(chosen(Outcome::reject, {}), "cancelled");
  EXPECT_FALSE(choose_option(Outcome::reject, std::vector{cancel})->approved);
}

TEST(PermissionChoice, AnIdWithAContraryKindIsNotTaken) {
  EXPECT_EQ(chosen(Outcome::allow, {{"proceed_once", "", "reject_once"}}), "error");
  EXPECT_EQ(chosen(Outcome::reject, {{"cancel", "", "allow_always"}}), "cancelled");
  EXPECT_EQ(chosen(Outcome::allow, {{"proceed_once", "", ""}}), "proceed_once");  // as old programs offer it
}

TEST(PermissionChoice, TheErrorListsTheOfferedOptions) {
  const auto choice = choose_option(Outcome::always_allow, std::vector{once, cancel});
  ASSERT_FALSE(choice);
  EXPECT_EQ(choice.error().code, Errc::denied);
  EXPECT_EQ(choice.error().message,
            "the agent offers no option for \"alwaysAllow\", only proceed_once (allow_once), cancel (reject_once): choose one of "
            "these, "
            "or reject");
  EXPECT_THAT(choose_option(Outcome::allow, {}).error().message, HasSubstr("only nothing"));
}

// Whatever is offered, in whatever order: an approval only of the kind that was said, and the same for any order but among equals.
TEST(PermissionChoice, EverySetOfOptionsIsAnsweredWithAnOfferedOption) {
  const std::vector<OfferedOption> all{once, always, tool, server, cancel, never};
  for (unsigned set = 0; set < 1U << all.size(); ++set) {
    std::vector<OfferedOption> offered;
    for (std::size_t i = 0; i < all.size(); ++i)
      if ((set >> i & 1U) != 0) offered.push_back(all[i]);
    std::vector<OfferedOption> reversed(offered.rbegin(), offered.rend());
    for (const Outcome outcome : all_outcomes) {
      const auto choice = choose_option(outcome, offered);
      if (!choice) continue;
      if (choice->option) {
        EXPECT_NE(std::ranges::find(offered, choice->option->id, &OfferedOption::id), offered.end());
        EXPECT_EQ(choice->option->kind.starts_with("allow"), outcome != Outcome::reject);
        EXPECT_EQ(choice->option->kind == "allow_once", outcome == Outcome::allow);
      }
      EXPECT_EQ(choice->approved, outcome != Outcome::reject);
      EXPECT_EQ(choose_option(outcome, reversed).has_value(), choice.has_value());
    }
    EXPECT_EQ(approve_smallest(offered).approved, (set & 0b1111U) != 0);
  }
}

TEST(PermissionChoice, WithoutAPersonTheSmallestApprovalIsChosen) {
  EXPECT_EQ(approve_smallest(std::vector{server, always, once}).option->id, "proceed_once");
  EXPECT_EQ(approve_smallest(std::vector{server, always, tool}).option->id, "proceed_always_tool");
  EXPECT_EQ(approve_smallest(std::vector{cancel, server}).option->id, "proceed_always_server");
  EXPECT_EQ(approve_smallest(std::vector{cancel, never}), PermissionChoice{});
}

TEST(PermissionChoice, WordsAreReadAndWritten) {
  for (const Outcome outcome : all_outcomes) EXPECT_EQ(read_permission_outcome(to_string(outcome)), outcome);
  EXPECT_EQ(to_string(Outcome::always_allow_mcp_server), "alwaysAllowMcpServer");
  EXPECT_FALSE(read_permission_outcome(""));
  EXPECT_FALSE(read_permission_outcome("perhaps"));
}

}  // namespace
}  // namespace parlance::adapter
