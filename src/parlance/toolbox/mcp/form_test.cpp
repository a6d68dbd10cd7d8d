// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/mcp/form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/toolbox/mcp/sampling.h"

namespace parlance::toolbox {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

mcp::ElicitParams form(std::string schema) { return {.message = "Please", .requested_schema = {std::move(schema)}}; }
// A form with one required field.
McpForm of_field(const std::string& property) {
  auto made = McpForm::of(form(R"({"type":"object","properties":{"f":)" + property + R"(},"required":["f"]})"));
  if (!made) throw std::runtime_error(made.error().message);
  return *std::move(made);
}
std::string content(const McpForm& form, McpForm::Answers answers) {
  const auto made = form.content(answers);
  return made ? made->json : "refused: " + made.error().message;
}

TEST(McpForm, AnswersBecomeValuesOfTheirType) {
  EXPECT_EQ(content(of_field(R"({"type":"string"})"), {{"a b"}}), R"({"f":"a b"})");
  EXPECT_EQ(content(of_field(R"({"type":"integer"})"), {{" 42 "}}), R"({"f":42})");
  EXPECT_EQ(content(of_field(R"({"type":"number"})"), {{"4.5"}}), R"({"f":4.5})");
  EXPECT_EQ(content(of_field(R"({"type":"boolean"})"), {{"Yes"}}), R"({"f":true})");
  EXPECT_EQ(content(of_field(R"({"type":"boolean"})"), {{"no"}}), R"({"f":false})");
  EXPECT_EQ(content(of_field(R"({"type":"string","enum":["a","b"]})"), {{"b"}}), R"({"f":"b"})");
}

TEST(McpForm, AMismatchIsReportedToThePerson) {
  for (const auto& [property, answer, why] : {std::tuple{R"({"type":"integer"})", "4.5", "no whole number"},
                                              {R"({"type":"number"})", "nan", "no number"},
                                              {R"({"type":"integer","minimum":18})", "17", "18"},
                                              {R"({"type":"string","minLength":3})", "ab", "3"},
                                              {R"({"type":"string","maxLength":3})", "abcd", "3"},
                                              {R"({"type":"boolean"})", "maybe", "yes or no"},
                                              {R"({"type":"string","enum":["a","b"]})", "c", "none of the choices"},
                                              {R"({"type":"string","format":"email"})", "name", "name@example.org"},
                                              {R"({"type":"string","format":"date"})", "31.1.2026", "2026-01-31"},
                                              {R"({"type":"string","format":"date-time"})", "2026-01-31", "2026-01-31T12:00:00Z"},
                                              {R"({"type":"string","format":"uri"})", "example", "https://example.org"}})
    EXPECT_THAT(content(of_field(property), {{answer}}), testing::AllOf(HasSubstr("refused"), HasSubstr(why))) << property;
  EXPECT_EQ(content(of_field(R"({"type":"string","format":"email"})"), {{"a@b.example"}}), R"({"f":"a@b.example"})");
  EXPECT_EQ(content(of_field(R"({"type":"string","format":"date-time"})"), {{"2026-01-31T12:00:00+01:00"}}),
            R"({"f":"2026-01-31T12:00:00+01:00"})");
}

TEST(McpForm, OnlyOptionalFieldsMayBeOmitted) {
  const auto made =
      McpForm::of(form(R"({"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a"]})"));
  ASSERT_TRUE(made);
  const auto questions = made->questions();
  ASSERT_THAT(questions, SizeIs(2));
  EXPECT_THAT(questions[0].options, SizeIs(0));
  ASSERT_THAT(questions[1].options, SizeIs(1));
  EXPECT_EQ(content(*made, {{"x"}, {questions[1].options[0].label}}), R"({"a":"x"})");
}

TEST(McpForm, WithoutFieldsThePersonAgreesOrNot) {
  const auto made = McpForm::of(form(R"({"type":"object","properties":{}})"));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->questions().at(0).question, "Please");
  EXPECT_FALSE(made->declined({{"Accept"}}));
  EXPECT_TRUE(made->declined({{"Decline"}}));
  EXPECT_TRUE(made->declined({{"something else"}})) << "nothing but the word is a yes";
  EXPECT_EQ(content(*made, {{"Accept"}}), "{}");
}

TEST(McpForm, APageIsShownWithItsWholeAddress) {
  const auto made = McpForm::of({.mode = "url", .message = "Sign in", .url = "https://login.example/a?b=c"});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_THAT(made->message(), HasSubstr("https://login.example/a?b=c"));
  EXPECT_EQ(content(*made, {{"Accept"}}), "") << "where it leads is between the person and the page";
  for (const char* url : {"", "javascript:alert(1)", "file:///etc/passwd", "https://a b", "https://a\x1b[2J", "http"})
    EXPECT_FALSE(McpForm::of({.mode = "url", .message = "x", .url = url})) << url;
}

TEST(McpForm, NoEscapesOfTerminalsGetThrough) {
  const auto made = McpForm::of({.message = "a\x1b[2Jb", .requested_schema = {R"({"type":"object","properties":{}})"}});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->message(), "a [2Jb");
}

TEST(McpForm, UnaskableFieldsAreRefused) {
  std::string many = R"({"type":"object","properties":{)";
  for (int i = 0; i < 21; ++i) many += (i == 0 ? "\"" : ",\"") + std::to_string(i) + R"(":{"type":"string"})";
  for (const std::string& schema :
       {std::string("[]"), std::string(R"({"properties":{"a":{"type":"object"}}})"), std::string(R"({"properties":{"a":7}})"),
        std::string(R"({"properties":{"a":{"type":"array","items":{"type":"string"}}}})"), many + "}}"})
    EXPECT_FALSE(McpForm::of(form(schema))) << schema;
  EXPECT_FALSE(McpForm::of({.mode = "dance", .message = "x"}));
  EXPECT_FALSE(McpForm::of({.message = std::string(9000, 'x')}));
}

// ---- sampling

mcp::CreateMessageParams saying(std::string content) {
  mcp::CreateMessageParams asked{.max_tokens = 100};
  asked.messages.push_back({.content = {std::move(content)}});
  return asked;
}

TEST(McpSampling, TextOnlyIsAccepted) {
  const auto request = sample_request_of(saying(R"([{"type":"text","text":"a"},{"type":"text","text":"b"}])"));
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(request->messages.at(0).text, "a\nb");
  EXPECT_EQ(request->max_tokens, 100U);
  EXPECT_FALSE(sample_request_of(saying(R"({"type":"image","data":"","mimeType":"image/png"})")));
  EXPECT_FALSE(sample_request_of(saying(R"("x")")));
  auto with_tools = saying(R"({"type":"text","text":"a"})");
  with_tools.tools.json = R"([{"name":"x"}])";
  EXPECT_FALSE(sample_request_of(with_tools));
  EXPECT_EQ(sample_request_of(saying(R"({"type":"text","text":")" + std::string(200'000, 'x') + "\"}")).error().code,
            Errc::overloaded);
  EXPECT_FALSE(sample_request_of({}));
}

TEST(McpSampling, ThePersonSeesTheWholeText) {
  const hub::SampleRequest request{.messages = {{.text = "hi\x1b[2J"}, {.by_model = true, .text = "yes"}, {.text = "go on"}},
                                   .system = "be brief",
                                   .max_tokens = 9};
  const hub::AskRequest ask = sampling_ask("files", "files__read", request);
  for (const char* part : {"system:\nbe brief", "user:\nhi\xef\xbf\xbd[2J", "assistant:\nyes", "user:\ngo on", "9 tokens"})
    EXPECT_THAT(*ask.detail, HasSubstr(part));
  EXPECT_THAT(ask.options, SizeIs(3));
}

}  // namespace
}  // namespace parlance::toolbox
