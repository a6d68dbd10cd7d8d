// SPDX-License-Identifier: Apache-2.0
// Both clients against answers from memory, with a clock that the test moves: retries, waits, adaptations, bodies.
#include "parlance/model/provider/http_model_test_support.h"

namespace parlance::model {
namespace {

using namespace std::chrono_literals;
using namespace test;

TEST_F(HttpModelTest, TroubleIsBridgedWithDoublingWaits) {
  open(Kind::openai);
  server->answers = {{.status = 500}, {.status = 529}, {.error = Error{Errc::disconnected, "cut"}}, {.status = 408}, hello};
  start(ask());
  loop.advance(499ms);
  EXPECT_EQ(server->requests.size(), 1U);
  loop.advance(1ms);
  EXPECT_EQ(server->requests.size(), 2U);
  loop.advance(1s + 2s + 4s);
  ASSERT_TRUE(result && *result);
  EXPECT_EQ((*result)->content, "Hello");
  EXPECT_EQ(chunks.trace, "<2><3><4><5>Hello");
  EXPECT_EQ(chunks.waits, (std::vector<Duration>{500ms, 1s, 2s, 4s}));
}

TEST_F(HttpModelTest, AttemptsAreCounted) {
  open(Kind::openai);
  server->answers = {{.status = 503}};
  start(ask());
  loop.advance(1min);
  ASSERT_TRUE(result);
  EXPECT_EQ(server->requests.size(), 5U);
  EXPECT_EQ(result->error().code, Errc::overloaded);
  EXPECT_NE(result->error().message.find("tried 5 times"), std::string::npos) << result->error().message;
}

// What a browser would show at the address that was given: it would come again each time.
TEST_F(HttpModelTest, AWebPageIsReportedAtOnce) {
  for (const Kind kind : {Kind::openai, Kind::anthropic}) {
    result.reset();
    open(kind);
    server->answers = {{.pieces = {"\n <!doctype html>", "<html><body>Hello</body></html>"},
                        .headers = {{"Content-Type", "text/html; charset=utf-8"}}}};
    start(ask());
    loop.advance(1min);
    ASSERT_TRUE(result);
    EXPECT_EQ(server->requests.size(), 1U);
    EXPECT_EQ(result->error().code, Errc::not_found);
    EXPECT_NE(result->error().message.find("http://host/v1"), std::string::npos) << result->error().message;
    EXPECT_NE(result->error().message.find("a web page came"), std::string::npos);
  }
}

TEST_F(HttpModelTest, TheServersWaitIsHonoured) {
  open(Kind::openai);
  server->answers = {
      {.status = 429, .headers = {{"Retry-After", "7"}}}, {.status = 429, .headers = {{"retry-after-ms", "100"}}}, hello};
  start(ask());
  loop.advance(6999ms);
  EXPECT_EQ(server->requests.size(), 1U);
  loop.advance(1ms);
  EXPECT_EQ(server->requests.size(), 2U);
  loop.advance(999ms);  // the client's back-off is longer than the requested pause
  EXPECT_EQ(server->requests.size(), 2U);
  loop.advance(1ms);
  ASSERT_TRUE(result && *result);
}

TEST_F(HttpModelTest, AWaitBeyondPatienceIsAnErrorAtOnce) {
  open(Kind::openai);
  server->answers = {{.status = 429, .headers = {{"Retry-After", "3600"}}}};
  start(ask());
  ASSERT_TRUE(result);
  EXPECT_EQ(result->error().code, Errc::overloaded);
  EXPECT_NE(result->error().message.find("asks to wait 3600 s"), std::string::npos) << result->error().message;
}

TEST_F(HttpModelTest, NoRepetitionAfterOutputToTheSink) {
  open(Kind::openai);
  server->answers = {{.pieces = {hello.pieces[0]}, .error = Error{Errc::disconnected, "cut"}}, hello};
  start(ask());
  loop.advance(1min);
  ASSERT_TRUE(result);
  EXPECT_EQ(server->requests.size(), 1U);
  EXPECT_EQ(result->error().code, Errc::disconnected);
  EXPECT_EQ(result->error().message, "http://host/v1/chat/completions: cut (after 5 bytes of the answer)");
}

TEST_F(HttpModelTest, ACutBeforeThePiecesIsRepeated) {
  open(Kind::anthropic);
  server->answers = {
      {.pieces = {hello_anthropic.pieces[0]}},
      {.pieces = {hello_anthropic.pieces[0], data(R"({"type":"error","error":{"type":"overloaded_error","message":"x"}})")}},
      hello_anthropic};
  start(ask());
  loop.advance(1min);
  ASSERT_TRUE(result && *result) << result->error().message;
  EXPECT_EQ(chunks.trace, "<2><3>Hello");
}

TEST_F(HttpModelTest, ABreakAfterTheLastWordIsAnAnswer) {
  open(Kind::openai);
  server->answers = {hello};
  server->answers.front().error = Error{Errc::disconnected, "cut"};
  start(ask());
  ASSERT_TRUE(result && *result);
}

TEST_F(HttpModelTest, PermanentErrorsAreNotRepeated) {
  for (const int status : {400, 401, 403, 404, 413, 422}) {
    open(Kind::openai);
    result.reset();
    server->answers = {{.status = status}};
    start(ask());
    ASSERT_TRUE(result) << status;
    EXPECT_EQ(server->requests.size(), 1U) << status;
  }
}

TEST_F(HttpModelTest, TheServersWordOnRetryingWins) {
  open(Kind::anthropic);
  server->answers = {{.status = 500, .headers = {{"x-should-retry", "false"}}}};
  start(ask());
  ASSERT_TRUE(result);
  EXPECT_EQ(server->requests.size(), 1U);
}

TEST_F(HttpModelTest, MissingCreditIsNotRepeatedDespite429) {
  open(Kind::openai);
  server->answers = {{.status = 429, .pieces = {R"({"error":{"message":"pay","code":"insufficient_quota"}})"}}};
  start(ask());
  ASSERT_TRUE(result);
  EXPECT_EQ(result->error().code, Errc::denied);
}

TEST_F(HttpModelTest, DestroyingTheTaskCancelsTheRequest) {
  open(Kind::openai);
  server->answers = {{.hang = true}};
  start(ask());
  EXPECT_EQ(server->running, 1);
  scope.cancel();
  EXPECT_EQ(server->running, 0);
  EXPECT_FALSE(result);
}

TEST_F(HttpModelTest, TheWholeChatIsBoundedInTime) {
  open(Kind::openai, {.limits = {.total = 10s}});
  server->answers = {{.status = 500}, {.hang = true}};
  start(ask());
  loop.advance(9999ms);
  EXPECT_FALSE(result);
  loop.advance(1ms);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->error().code, Errc::deadline_exceeded);
  EXPECT_NE(result->error().message.find("no complete answer within 10 s"), std::string::npos) << result->error().message;
  EXPECT_EQ(server->running, 0);
}

TEST_F(HttpModelTest, AnErrorOfTheSinkEndsTheRequestAndIsTheResult) {
  open(Kind::openai);
  server->answers = {hello};
  chunks.on_any = [] { return Result<void>(fail(Errc::disconnected, "the reader left")); };
  start(ask());
  loop.advance(1min);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->error().message, "the reader left");
  EXPECT_EQ(server->requests.size(), 1U);
}

// ---- servers that refuse a parameter -----------------------------------------------------------------------------------

Scripted refusal(std::string_view sentence) {
  return {.status = 400, .pieces = {R"({"error":{"message":")" + std::string(sentence) + R"("}})"}};
}

TEST_F(HttpModelTest, RefusedOpenAiParametersAreDroppedPermanently) {
  open(Kind::openai);
  server->answers = {refusal("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
                     refusal("unknown field stream_options"), refusal("Unrecognized argument: reasoning_effort"),
                     refusal("tool_choice is not supported"), hello};
  ChatRequest request = ask();
  request.max_tokens = 5;
  request.tools = {{"read", "", ""}};
  request.parameters.must_call = true;
  request.think = Think::on;
  start(request);
  ASSERT_TRUE(result && *result) << result->error().message;
  EXPECT_TRUE(chunks.waits.empty()) << "adapting is no retry";
  EXPECT_EQ(server->requests.size(), 5U);
  start(request);
  EXPECT_EQ(server->requests.size(), 6U);
  const json::Value last = body(5);
  EXPECT_EQ(last.integer_or("max_completion_tokens", 0), 5);
  for (const char* gone : {"max_tokens", "tool_choice", "stream_options", "reasoning_effort"})
    EXPECT_EQ(last.find(gone), nullptr) << gone;
}

TEST_F(HttpModelTest, AParameterOfTheClientThatIsRefusedIsAnErrorByName) {
  for (const char* name : {"temperature", "reasoning_effort"}) {
    open(Kind::openai);
    server->answers = {refusal("Unsupported value: '" + std::string(name) + "'"), hello};
    ChatRequest request = ask();
    request.temperature = 0.1;
    request.parameters.effort = "high";
    start(request);
    ASSERT_TRUE(result);
    ASSERT_FALSE(*result) << name;
    EXPECT_EQ(result->error().code, Errc::invalid_request);
    EXPECT_NE(result->error().message.find(refused_request), std::string::npos);
    EXPECT_NE(result->error().message.find(name), std::string::npos);
    EXPECT_EQ(server->requests.size(), 1U);
  }
}

Attachment picture_of(std::string_view what) { return {.media_type = "image/png", .data = "\x89PNG" + std::string(what)}; }

TEST_F(HttpModelTest, ARequestGoesOnWithoutAPictureThatTheServerRefuses) {
  const std::pair<Kind, Scripted> kinds[] = {{Kind::openai, hello}, {Kind::anthropic, hello_anthropic}};
  for (const auto& [kind, answer] : kinds) {
    open(kind);
    server->answers = {refusal("Could not process image"), answer};
    ChatRequest request = ask("look");
    request.messages[0].attachments = {picture_of("bad")};
    EXPECT_TRUE(model->shows(request.messages[0].attachments[0], "m"));
    start(request);
    ASSERT_TRUE(result && *result) << result->error().message;
    EXPECT_FALSE(model->shows(request.messages[0].attachments[0], "m")) << "the agent informs the person";
    ASSERT_EQ(server->requests.size(), 2U);
    EXPECT_NE(server->requests[1].body.find("cannot be shown to you"), std::string::npos);
    EXPECT_EQ(server->requests[1].body.find("iVBOR"), std::string::npos);
  }
}

TEST_F(HttpModelTest, ABadPictureTakesNoOtherPictureAway) {
  open(Kind::openai);
  server->answers = {hello, refusal("Invalid image data"), hello};
  ChatRequest request = ask("look");
  request.messages[0].attachments = {picture_of("good")};
  start(request);
  ASSERT_TRUE(result && *result);
  request.messages.push_back({.role = Role::user, .content = "and this", .attachments = {picture_of("bad")}});
  start(request);
  ASSERT_TRUE(result && *result) << result->error().message;
  EXPECT_EQ(body(2).find("messages")->array()->front().find("content")->array()->size(), 2U) << "the good one stays";
  EXPECT_TRUE(model->shows(picture_of("good"), "m"));
  EXPECT_TRUE(model->shows(picture_of("of another conversation"), "m"));
  EXPECT_FALSE(model->shows(picture_of("bad"), "m"));
}

TEST_F(HttpModelTest, ABadPictureOfAToolBecomesANoteInItsResult) {
  for (const Kind kind : {Kind::openai, Kind::anthropic}) {
    open(kind);
    server->answers = {refusal("Could not process image"), kind == Kind::openai ? hello : hello_anthropic};
    ChatRequest request = loop_request();
    request.messages.back().tool_results[0].attachments = {picture_of("bad")};
    start(request);
    ASSERT_TRUE(result && *result) << result->error().message;
    EXPECT_EQ(body(1).find("messages")->array()->size(), kind == Kind::openai ? 5U : 3U);
    EXPECT_NE(server->requests[1].body.find("which cannot be shown to you"), std::string::npos);
    EXPECT_FALSE(model->shows(picture_of("bad"), "m"));
  }
}

TEST_F(HttpModelTest, ARefusalAfterAdaptingIsReported) {
  open(Kind::openai);
  server->answers = {refusal("bad stream_options")};
  start(ask());
  ASSERT_TRUE(result);
  EXPECT_EQ(server->requests.size(), 2U);
  EXPECT_EQ(result->error().code, Errc::invalid_request);
}

TEST_F(HttpModelTest, ReasoningReturnsToServersOnDemand) {
  open(Kind::openai);
  server->answers = {refusal("Missing `reasoning_content` field in the assistant message"), hello};
  start(loop_request());
  ASSERT_TRUE(result && *result);
  EXPECT_EQ(server->requests[0].body.find("reasoning_content"), std::string::npos);
  EXPECT_NE(server->requests[1].body.find(R"("reasoning_content":"Hm")"), std::string::npos);
}

TEST_F(HttpModelTest, AnthropicThinkingIsAskedForInTheWayTheModelTakes) {
  open(Kind::anthropic);
  server->answers = {refusal("thinking.type.enabled is not supported, use adaptive"), hello_anthropic};
  ChatRequest request = ask();
  request.think = Think::on;
  start(request);
  ASSERT_TRUE(result && *result);
  EXPECT_EQ(body(1).find("thinking")->text_or("type", ""), "adaptive");
}

// Refusals of one model change nothing for the other models of the connection.
TEST_F(HttpModelTest, EachModelHasFormsOfItsOwn) {
  open(Kind::anthropic);
  server->answers = {refusal("thinking is not supported"), refusal("thinking is not supported"), hello_anthropic,
                     hello_anthropic};
  for (const char* const name : {"small", "large"}) {
    ChatRequest request = ask();
    request.think = Think::on;
    request.model = name;
    start(request);
    ASSERT_TRUE(result && *result) << result->error().message;
  }
  EXPECT_EQ(body(2).find("thinking"), nullptr);
  EXPECT_EQ(body(3).find("thinking")->text_or("type", ""), "enabled");
}

TEST_F(HttpModelTest, AnotherModelMaySeeARefusedPicture) {
  open(Kind::openai);
  server->answers = {refusal("Could not process image"), hello, hello};
  ChatRequest request = ask("look");
  request.messages[0].attachments = {picture_of("good")};
  request.model = "text";
  start(request);
  ASSERT_TRUE(result && *result) << result->error().message;
  EXPECT_FALSE(model->shows(picture_of("good"), "text"));
  EXPECT_TRUE(model->shows(picture_of("good"), "vision"));
}

TEST_F(HttpModelTest, ATemperatureOfAClientExcludesThinking) {
  open(Kind::anthropic);
  server->answers = {hello_anthropic, hello_anthropic};
  ChatRequest request = ask();
  request.think = Think::on;
  request.temperature = 0.3;
  start(request);
  EXPECT_EQ(body(0).find("thinking"), nullptr);
  request.temperature = 1;
  start(request);
  EXPECT_NE(body(1).find("thinking"), nullptr);
}

TEST_F(HttpModelTest, AServerWithAnUnnamedModelIsAskedOnce) {
  open(Kind::openai);
  server->answers = {{.pieces = {R"({"data":[{"id":"qwen-3"},)", R"({"id":"other"}]})"}}, hello};
  ChatRequest request = ask();
  request.model.clear();
  start(request);
  ASSERT_TRUE(result && *result);
  EXPECT_EQ(server->requests[0].method, "GET");
  EXPECT_EQ(server->requests[0].url, "http://host/v1/models");
  EXPECT_EQ(body(1).text_or("model", ""), "qwen-3");
  start(request);
  EXPECT_EQ(server->requests.size(), 3U);
  EXPECT_EQ(model->name(), "qwen-3");
}

TEST_F(HttpModelTest, ASilentServerIsReportedOnceAndThenThatItSendsAgain) {
  open(Kind::openai, {.limits = {.idle = std::chrono::seconds(40)}});
  Scripted slow = hello;
  slow.pause = std::chrono::seconds(20);
  server->answers = {slow};
  start(ask());
  loop.advance(std::chrono::milliseconds(14'900));
  EXPECT_TRUE(chunks.silences.empty());
  loop.advance(std::chrono::milliseconds(200));
  EXPECT_EQ(chunks.silences, (std::vector<Duration>{std::chrono::seconds(15)}));
  loop.advance(std::chrono::seconds(5));
  EXPECT_EQ(chunks.silences.back(), Duration::zero()) << "the first piece came";
  loop.advance(std::chrono::seconds(100));
  ASSERT_TRUE(result && *result);
  EXPECT_EQ(chunks.silences.size(), 6U) << "each of the three pieces was late";
}

TEST_F(HttpModelTest, ARetrySaysWhichOfHowMany) {
  open(Kind::openai, {.limits = {.attempts = 3}});
  server->answers = {{.status = 429, .headers = {{"Retry-After", "7"}}}, hello};
  start(ask());
  EXPECT_EQ(chunks.waits, (std::vector<Duration>{std::chrono::seconds(7)}));
  EXPECT_EQ(chunks.most_attempts, 3);
}

}  // namespace
}  // namespace parlance::model
