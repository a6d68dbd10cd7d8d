// Both clients against answers from memory, with a clock that the test moves: retries, waits, adaptations, bodies.
#include <gtest/gtest.h>

#include "async/scope.h"
#include "codec/json/value.h"
#include "model/anthropic.h"
#include "model/openai.h"
#include "tests/support/model.h"

namespace parlance::model {
namespace {

using namespace std::chrono_literals;
using test::Chunks;
using test::data;
using test::FakeHttp;
using test::Scripted;

const Scripted hello{.pieces = {data(R"({"choices":[{"delta":{"content":"Hello"}}]})"),
                                data(R"({"choices":[{"delta":{},"finish_reason":"stop"}]})"), data("[DONE]")}};
const Scripted hello_anthropic{
    .pieces = {data(R"({"type":"message_start","message":{"content":[]}})"),
               data(R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Hello"}})"),
               data(R"({"type":"message_delta","delta":{"stop_reason":"end_turn"}})"), data(R"({"type":"message_stop"})")}};

class HttpModelTest : public ::testing::Test {
 protected:
  void open(Kind kind, ModelSettings settings = {}) {
    settings.kind = kind;
    if (settings.url.empty()) settings.url = "http://host/v1";
    auto http = std::make_unique<FakeHttp>(loop);
    server = http.get();
    auto made =
        kind == Kind::openai ? make_openai(loop, settings, std::move(http)) : make_anthropic(loop, settings, std::move(http));
    ASSERT_TRUE(made) << made.error().message;
    model = *std::move(made);
    model->set_random([] { return 1.0; });
  }
  void start(ChatRequest request) {
    const auto run = [](HttpModelTest& self, ChatRequest what) -> Task<void> {
      self.result = co_await self.model->chat(std::move(what), self.chunks);
    };
    scope.start(run(*this, std::move(request)));
  }
  json::Value body(std::size_t request = 0) { return json::parse(server->requests.at(request).body).value(); }

  Loop loop{Loop::Time::virtual_};
  Chunks chunks;
  std::unique_ptr<HttpModel> model;
  FakeHttp* server = nullptr;
  std::optional<Result<Completion>> result;
  Scope scope{loop};
};

ChatRequest ask(std::string text = "hi") {
  return {.messages = {{.role = Role::user, .content = std::move(text)}}, .model = "m"};
}

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
TEST_F(HttpModelTest, AWebPageIsToldAtOnce) {
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
  loop.advance(999ms);  // its own back-off is longer than what is asked
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

TEST_F(HttpModelTest, NothingIsRepeatedOnceAPieceHasReachedTheSink) {
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

TEST_F(HttpModelTest, AServerThatBreaksOffAfterItsLastWordHasAnswered) {
  open(Kind::openai);
  server->answers = {hello};
  server->answers.front().error = Error{Errc::disconnected, "cut"};
  start(ask());
  ASSERT_TRUE(result && *result);
}

TEST_F(HttpModelTest, WhatWillNotChangeIsNotRepeated) {
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

TEST_F(HttpModelTest, NoCreditIsNotRepeatedThoughItIs429) {
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

// ---- bodies ------------------------------------------------------------------------------------------------------------

ChatRequest loop_request() {
  ChatRequest request = ask("read it");
  request.messages.insert(request.messages.begin(), {.role = Role::system, .content = "rules"});
  request.messages.push_back({.role = Role::assistant,
                              .content = "I look.",
                              .reasoning = "Hm",
                              .tool_calls = {{"t1", "read", R"({"p": 1})"}, {"t2", "list", "broken"}}});
  request.messages.push_back({.role = Role::tool, .tool_results = {{"t1", "text"}, {"t2", "it broke", true}}});
  request.tools = {{"read", "Reads.", R"({"type":"object","properties":{"p":{"type":"integer"}}})"}, {"list", "Lists.", ""}};
  return request;
}

TEST_F(HttpModelTest, TheOpenAiBody) {
  open(Kind::openai, {.key = {"sk-1", "X"}});
  server->answers = {hello};
  ChatRequest request = loop_request();
  request.max_tokens = 100;
  request.temperature = 0.5;
  start(request);
  EXPECT_EQ(server->requests[0].url, "http://host/v1/chat/completions");
  EXPECT_EQ(*find_header(server->requests[0].headers, "authorization"), "Bearer sk-1");
  EXPECT_EQ(
      server->requests[0].body,
      R"({"model":"m","messages":[{"role":"system","content":"rules"},{"role":"user","content":"read it"},)"
      R"({"role":"assistant","content":"I look.","tool_calls":[{"id":"t1","type":"function","function":{"name":"read","arguments":"{\"p\":1}"}},)"
      R"({"id":"t2","type":"function","function":{"name":"list","arguments":"{}"}}]},)"
      R"({"role":"tool","content":"text","tool_call_id":"t1"},{"role":"tool","content":"Error: it broke","tool_call_id":"t2"}],)"
      R"("tools":[{"type":"function","function":{"name":"read","description":"Reads.","parameters":{"type":"object","properties":{"p":{"type":"integer"}}}}},)"
      R"({"type":"function","function":{"name":"list","description":"Lists.","parameters":{"type":"object","properties":{}}}}],)"
      R"("stream":true,"stream_options":{"include_usage":true},"max_tokens":100,"temperature":0.5})");
}

TEST_F(HttpModelTest, TheAnthropicBody) {
  open(Kind::anthropic, {.key = {"sk-1", "X"}});
  server->answers = {hello_anthropic};
  start(loop_request());
  EXPECT_EQ(server->requests[0].url, "http://host/v1/messages");
  EXPECT_EQ(*find_header(server->requests[0].headers, "x-api-key"), "sk-1");
  EXPECT_EQ(*find_header(server->requests[0].headers, "anthropic-version"), "2023-06-01");
  EXPECT_EQ(
      server->requests[0].body,
      R"({"model":"m","max_tokens":8192,"system":[{"type":"text","text":"rules","cache_control":{"type":"ephemeral"}}],)"
      R"("messages":[{"role":"user","content":[{"type":"text","text":"read it"}]},)"
      R"({"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"t1","name":"read","input":{"p":1}},{"type":"tool_use","id":"t2","name":"list","input":{}}]},)"
      R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"text"},{"type":"tool_result","tool_use_id":"t2","content":"it broke","is_error":true,"cache_control":{"type":"ephemeral"}}]}],)"
      R"("tools":[{"name":"read","description":"Reads.","input_schema":{"type":"object","properties":{"p":{"type":"integer"}}}},)"
      R"({"name":"list","description":"Lists.","input_schema":{"type":"object","properties":{}}}],"stream":true})");
}

TEST_F(HttpModelTest, AnthropicTurnsAlternateAndBeginWithThePerson) {
  open(Kind::anthropic);
  server->answers = {hello_anthropic};
  ChatRequest request{.messages = {{.role = Role::assistant, .content = "Hello!"},
                                   {.role = Role::user, .content = "a"},
                                   {.role = Role::user, .content = "b"},
                                   {.role = Role::user, .content = " \n"}}};
  start(request);
  const json::Value sent = body();
  const json::Array& messages = *sent.find("messages")->array();
  ASSERT_EQ(messages.size(), 3U);
  EXPECT_EQ(messages[0].text_or("role", ""), "user");
  EXPECT_EQ(messages[2].find("content")->array()->size(), 2U);
}

TEST_F(HttpModelTest, SignedThinkingGoesBackWithinTheToolLoopEvenThroughAHostThatDropsIt) {
  open(Kind::anthropic);
  server->answers = {
      {.pieces =
           {data(R"({"type":"message_start","message":{"content":[]}})"),
            data(
                R"({"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"Hm","signature":"s/1"}})"),
            data(
                R"({"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t1","name":"read","input":{"p":1}}})"),
            data(R"({"type":"message_delta","delta":{"stop_reason":"tool_use"}})"), data(R"({"type":"message_stop"})")}},
      hello_anthropic};
  ChatRequest request = ask();
  request.think = Think::on;
  request.tools = {{"read", "", ""}};
  start(request);
  ASSERT_TRUE(result && *result);
  EXPECT_EQ(body().find("thinking")->integer_or("budget_tokens", 0), 4096);

  Message answer = to_message(**result);
  answer.reasoning.clear();
  answer.reasoning_state.clear();  // seed 001's Message has no room for it
  request.messages.push_back(answer);
  request.messages.push_back({.role = Role::tool, .tool_results = {{"t1", "text"}}});
  start(request);
  EXPECT_NE(server->requests[1].body.find(
                R"({"role":"assistant","content":[{"type":"thinking","thinking":"Hm","signature":"s/1"},{"type":"tool_use")"),
            std::string::npos)
      << server->requests[1].body;
  EXPECT_NE(body(1).find("thinking"), nullptr);
}

TEST_F(HttpModelTest, LostThinkingSwitchesThinkingOffForTheRestOfTheLoop) {
  open(Kind::anthropic);
  server->answers = {hello_anthropic};
  ChatRequest request = loop_request();
  request.think = Think::on;
  request.temperature = 0.3;
  start(request);
  EXPECT_EQ(body().find("thinking"), nullptr);
  EXPECT_NE(body().find("temperature"), nullptr);
}

// ---- servers that refuse a parameter -----------------------------------------------------------------------------------

Scripted refusal(std::string_view sentence) {
  return {.status = 400, .pieces = {R"({"error":{"message":")" + std::string(sentence) + R"("}})"}};
}

TEST_F(HttpModelTest, OpenAiParametersThatAreRefusedAreGivenUpForGood) {
  open(Kind::openai);
  server->answers = {refusal("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
                     refusal("Unsupported value: 'temperature'"), refusal("unknown field stream_options"),
                     refusal("Unrecognized argument: reasoning_effort"), hello};
  ChatRequest request = ask();
  request.max_tokens = 5;
  request.temperature = 0.1;
  request.think = Think::on;
  start(request);
  ASSERT_TRUE(result && *result) << result->error().message;
  EXPECT_TRUE(chunks.waits.empty()) << "adapting is no retry";
  EXPECT_EQ(server->requests.size(), 5U);
  start(request);
  EXPECT_EQ(server->requests.size(), 6U);
  const json::Value last = body(5);
  EXPECT_EQ(last.integer_or("max_completion_tokens", 0), 5);
  for (const char* gone : {"max_tokens", "temperature", "stream_options", "reasoning_effort"})
    EXPECT_EQ(last.find(gone), nullptr) << gone;
}

TEST_F(HttpModelTest, AServerThatTakesNoPicturesIsToldOfThemFromThenOn) {
  open(Kind::openai);
  server->answers = {refusal("image_url is only supported by certain models"), hello};
  ChatRequest request = ask("look");
  request.messages[0].attachments = {{.media_type = "image/png", .data = "abc"}};
  EXPECT_TRUE(model->shows(request.messages[0].attachments[0]));
  start(request);
  ASSERT_TRUE(result && *result) << result->error().message;
  EXPECT_FALSE(model->shows(request.messages[0].attachments[0])) << "known from now on";
  EXPECT_EQ(server->requests.size(), 2U);
  EXPECT_NE(server->requests[1].body.find("cannot be shown to you"), std::string::npos);
  EXPECT_EQ(server->requests[1].body.find("image_url"), std::string::npos);
}

TEST_F(HttpModelTest, ARefusalThatAdaptingDoesNotCureIsTold) {
  open(Kind::openai);
  server->answers = {refusal("bad stream_options")};
  start(ask());
  ASSERT_TRUE(result);
  EXPECT_EQ(server->requests.size(), 2U);
  EXPECT_EQ(result->error().code, Errc::invalid_request);
}

TEST_F(HttpModelTest, ReasoningGoesBackToServersThatDemandIt) {
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

TEST_F(HttpModelTest, AServerWhoseModelNobodyNamedIsAskedOnce) {
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

}  // namespace
}  // namespace parlance::model
