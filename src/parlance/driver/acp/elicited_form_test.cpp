// SPDX-License-Identifier: Apache-2.0
// Forms of agents as questions, and the answers in the agents' format.
#include "parlance/driver/acp/elicited_form.h"

#include <gtest/gtest.h>

#include "parlance/codec/json/value.h"

namespace parlance::driver {
namespace {

acp::CreateElicitation form_of(std::string schema) {
  return {.mode = "form", .message = "Tell me", .requested_schema = {std::move(schema)}};
}
// A form of Claude's agent: a property for each question, and a further property for free text.
const std::string claudes = R"({"type":"object","properties":{
  "question_0":{"type":"string","title":"Database","description":"Which one?","oneOf":[{"const":"s","title":"SQLite","description":"one file"},{"const":"p","title":"Postgres"}]},
  "question_0_custom":{"type":"string"},
  "question_1":{"type":"array","title":"Extras","items":{"anyOf":[{"const":"t","title":"tests"},{"const":"d","title":"docs"}]}}}})";

hub::AskAnswer answers(std::vector<std::vector<std::string>> given) { return {.answers = std::move(given)}; }

TEST(ElicitedForm, ClaudesQuestionsAreQuestions) {
  const auto form = ElicitedForm::of(form_of(claudes));
  ASSERT_TRUE(form);
  const auto questions = form->questions();
  ASSERT_EQ(questions.size(), 2U) << "the words of one's own are no question";
  EXPECT_EQ(questions[0].header, "Database");
  EXPECT_EQ(questions[0].question, "Which one?");
  EXPECT_EQ(questions[0].options[0].label, "SQLite");
  EXPECT_EQ(questions[0].options[0].description, "one file");
  EXPECT_FALSE(questions[0].multiple);
  EXPECT_TRUE(questions[1].multiple);
}

TEST(ElicitedForm, AnswersContainValuesInsteadOfLabels) {
  const auto form = ElicitedForm::of(form_of(claudes));
  ASSERT_TRUE(form);
  EXPECT_EQ(form->content(answers({{"Postgres"}, {"tests", "docs"}}))->json, R"({"question_0":"p","question_1":["t","d"]})");
  EXPECT_EQ(form->content(answers({{"something else"}, {}}))->json, R"({"question_0_custom":"something else"})");
  EXPECT_EQ(form->content(answers({}))->json, "{}");
  const auto refused = form->content(answers({{"SQLite"}, {"pictures"}}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::invalid_params);
}

TEST(ElicitedForm, OtherFormsParseAsMcpForms) {
  const auto form = ElicitedForm::of(
      form_of(R"({"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name"]})"));
  ASSERT_TRUE(form) << form.error().message;
  EXPECT_EQ(form->message(), "Tell me");
  EXPECT_EQ(form->questions().size(), 2U);
  const auto content = form->content(answers({{"Ada"}, {"36"}}));
  ASSERT_TRUE(content) << content.error().message;
  EXPECT_EQ(json::parse_or_null(content->json).text_or("name", ""), "Ada");
  EXPECT_EQ(json::parse_or_null(content->json).integer_or("age", 0), 36);
}

TEST(ElicitedForm, APageToVisitIsAQuestion) {
  const auto form =
      ElicitedForm::of({.mode = "url", .message = "Sign in", .url = "https://example.org/login", .elicitation_id = "e"});
  ASSERT_TRUE(form) << form.error().message;
  EXPECT_FALSE(form->questions().empty());
}

TEST(ElicitedForm, UnsupportedFormIsRefused) {
  EXPECT_FALSE(ElicitedForm::of(form_of(R"({"type":"object","properties":{"deep":{"type":"object"}}})")));
}

}  // namespace
}  // namespace parlance::driver
