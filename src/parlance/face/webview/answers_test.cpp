// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/webview/answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/hub/conversation/ask_options.h"

namespace parlance::face {
namespace {

using hub::OptionKind;
using testing::HasSubstr;
using webview::PlanOption;

hub::Ask permission() {
  return {.id = "a",
          .options = {{.id = "yes", .label = "Yes", .kind = OptionKind::allow_once},
                      {.id = "folder", .label = "In this folder", .kind = OptionKind::allow_always},
                      {.id = "no", .label = "No", .kind = OptionKind::reject_once},
                      {.id = "stop", .label = "No, stop", .kind = OptionKind::reject_and_stop}},
          .digest = "d"};
}
hub::Ask plan() {
  return {.kind = hub::AskKind::plan,
          .options = {{.id = "edits", .kind = OptionKind::allow_always},
                      {.id = "ask", .kind = OptionKind::allow_once},
                      {.id = "no", .kind = OptionKind::reject_once},
                      {.id = "words", .kind = OptionKind::feedback}}};
}
hub::Ask questions() {
  return {.kind = hub::AskKind::question,
          .questions = std::vector<hub::Question>{
              {.header = "Base", .question = "Which?", .options = {{.label = "x"}, {.label = "y"}}},
              {.header = "Base", .question = "What else?", .multiple = true, .options = {{.label = "p"}}}}};
}

TEST(WebviewAnswers, EachOutcomeIsTheOptionThatMeansIt) {
  const hub::Ask ask = permission();
  EXPECT_EQ(approval_of(ask, "allow")->given.option, "yes");
  EXPECT_EQ(approval_of(ask, "alwaysAllow")->given.option, "folder");
  EXPECT_EQ(approval_of(ask, "alwaysAllowTool")->given.option, "folder");
  EXPECT_EQ(approval_of(ask, "alwaysAllowMcpServer")->given.option, "folder");
  EXPECT_EQ(approval_of(ask, "allow")->given.digest, "d");
  for (const std::string_view answer : {"", "perhaps", "Allow", "allow ", "allow_once", "yes", "true", "proceed_once"})
    EXPECT_THAT(approval_of(ask, answer).error().message, HasSubstr("$.outcome")) << answer;
}

TEST(WebviewAnswers, ARejectStopsTheTurnWhateverIsOffered) {
  hub::Ask ask = permission();
  EXPECT_EQ(approval_of(ask, "reject")->given.option, "stop");
  EXPECT_FALSE(approval_of(ask, "reject")->stop) << "the option does it";
  ask.options.pop_back();
  EXPECT_EQ(approval_of(ask, "reject")->given.option, "no");
  EXPECT_TRUE(approval_of(ask, "reject")->stop);
  ask.options.clear();
  EXPECT_FALSE(approval_of(ask, "reject")->given.option);
  EXPECT_TRUE(approval_of(ask, "reject")->stop);
  EXPECT_EQ(approval_of(questions(), "reject")->given.option, "decline");
}

TEST(WebviewAnswers, NothingIsGrantedThatWasNotSaid) {
  hub::Ask ask = permission();
  std::erase_if(ask.options, [](const hub::AskOption& option) { return option.kind == OptionKind::allow_always; });
  EXPECT_EQ(approval_of(ask, "alwaysAllow").error().code, Errc::denied);
  EXPECT_THAT(approval_of(ask, "alwaysAllow").error().message, HasSubstr("yes (allow_once)"));
}

TEST(WebviewAnswers, QuestionsAreAnsweredByTheirHeaders) {
  const hub::Ask ask = questions();
  EXPECT_THAT(hub::question_keys(ask), testing::ElementsAre("Base", "Base (2)")) << "no two are the same";
  const auto both = answers_of(ask, {{"Base", {R"("y")"}}, {"Base (2)", {R"(["p","own words"])"}}});
  EXPECT_EQ(both->given.answers, (std::vector<std::vector<std::string>>{{"y"}, {"p", "own words"}}));
  const auto by_words = answers_of(ask, {{"Which?", {R"("x")"}}});
  EXPECT_EQ(by_words->given.answers, (std::vector<std::vector<std::string>>{{"x"}, {"(not answered)"}}));
  EXPECT_EQ(answers_of(ask, {})->given.option, "decline");
  EXPECT_THAT(answers_of(ask, {{"Base", {"7"}}}).error().message, HasSubstr("$.answers[\"Base\"]"));
  EXPECT_THAT(answers_of(ask, {{"Base", {R"(["x","y"])"}}}).error().message, HasSubstr("only one"));
}

TEST(WebviewAnswers, APlanIsAnsweredByOptionOrApproved) {
  EXPECT_EQ(*plan_option_of({.option = PlanOption::smart, .approved = false}), PlanOption::smart);
  EXPECT_EQ(*plan_option_of({.approved = true}), PlanOption::default_);
  EXPECT_EQ(*plan_option_of({.approved = false}), PlanOption::keep);
  EXPECT_FALSE(plan_option_of({}));
}

TEST(WebviewAnswers, AnAgentsOwnWordsForAPlanCountElseTheKinds) {
  EXPECT_EQ(plan_answer_of(plan(), PlanOption::smart, "")->given.option, "edits");
  EXPECT_EQ(plan_answer_of(plan(), PlanOption::smart, "")->mode_after, hub::Mode::smart);
  EXPECT_EQ(plan_answer_of(plan(), PlanOption::default_, "")->given.option, "ask");
  EXPECT_EQ(plan_answer_of(plan(), PlanOption::keep, "")->given.option, "no");
  EXPECT_EQ(plan_answer_of(plan(), PlanOption::feedback, "smaller")->given.option, "words");
  EXPECT_EQ(plan_answer_of(plan(), PlanOption::feedback, "smaller")->given.text, "smaller");
  EXPECT_THAT(plan_answer_of(plan(), PlanOption::feedback, " ").error().message, HasSubstr("$.feedback"));
  hub::Ask seeds = plan();
  seeds.options = {{.id = "smart", .kind = OptionKind::allow_once}, {.id = "keep", .kind = OptionKind::reject_once}};
  EXPECT_EQ(plan_answer_of(seeds, PlanOption::smart, "")->given.option, "smart");
  EXPECT_FALSE(plan_answer_of(seeds, PlanOption::smart, "")->mode_after) << "its agent changes the mode";
  seeds.options.erase(seeds.options.begin());
  EXPECT_EQ(plan_answer_of(seeds, PlanOption::default_, "").error().code, Errc::denied);
}

}  // namespace
}  // namespace parlance::face
