// SPDX-License-Identifier: Apache-2.0
// Answers to each kind of ask, from every frontend: only the exact answer permits.
#include "parlance/hub/conversation/answer.h"

#include <gtest/gtest.h>

#include "parlance/hub/conversation/ask_options.h"

namespace parlance::hub {
namespace {

Ask to_allow() {
  return {.id = "a",
          .options = {{.id = "yes", .kind = OptionKind::allow_once},
                      {.id = "always", .kind = OptionKind::allow_always},
                      {.id = "words", .kind = OptionKind::feedback},
                      {.id = "no", .kind = OptionKind::reject_once}}};
}
Ask to_answer() {
  return {.id = "a",
          .kind = AskKind::question,
          .questions = std::vector<Question>{{.question = "Which?"}, {.question = "Which of them?", .multiple = true}}};
}
bool permits(const Ask& ask, const Answer& given) {
  const auto answer = checked_answer(ask, given);
  return answer && answer->allowed();
}

TEST(Answer, OnlyAnOptionThatAllowsAllows) {
  for (const AskKind kind : {AskKind::permission, AskKind::plan, AskKind::limit}) {
    Ask ask = to_allow();
    ask.kind = kind;
    EXPECT_TRUE(permits(ask, {.option = "yes"}) && permits(ask, {.option = "always"}));
    EXPECT_FALSE(permits(ask, {}));
    EXPECT_FALSE(permits(ask, {.text = "yes"}));
    EXPECT_FALSE(permits(ask, {.answers = {{"yes"}}}));
    EXPECT_FALSE(permits(ask, {.edited = "yes"}));
    for (const char* option : {"", "no", "words", "YES", "yes ", "allow_once", "decline", "0"})
      EXPECT_FALSE(permits(ask, {.option = option})) << option;
  }
}

TEST(Answer, AQuestionIsAnsweredOnlyWhenEveryPartIs) {
  const Ask ask = to_answer();
  EXPECT_TRUE(checked_answer(ask, {.answers = {{"a"}, {"b", "c"}}}));
  using Answers = std::vector<std::vector<std::string>>;
  for (const Answers& answers : {Answers{}, Answers{{"a"}}, Answers{{"a"}, {}}, Answers{{"a"}, {""}}, Answers{{"a", "b"}, {"c"}},
                                 Answers{{"a"}, {"b"}, {"c"}}})
    EXPECT_FALSE(checked_answer(ask, {.answers = answers}));
  EXPECT_FALSE(checked_answer(ask, {.option = "yes"}));
  const auto declined = checked_answer(ask, {.option = std::string(decline), .answers = {{"a"}, {"b"}}});
  ASSERT_TRUE(declined);
  EXPECT_TRUE(declined->answers.empty()) << "declined, whatever stands beside it";
}

TEST(Answer, AMissingAnswerBecomesARefusalOnly) {
  EXPECT_EQ(refusing_option(to_allow())->id, "no");
  Ask ask = to_allow();
  ask.options.pop_back();
  EXPECT_EQ(refusing_option(ask), nullptr) << "the last option is none";
  ask.options.push_back({.id = "never", .kind = OptionKind::reject_always});
  EXPECT_EQ(refusing_option(ask)->id, "never");
  EXPECT_FALSE(AskAnswer{}.allowed());
}

}  // namespace
}  // namespace parlance::hub
