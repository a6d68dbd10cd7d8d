// SPDX-License-Identifier: Apache-2.0
// Request bodies of the clients of language models, with tools, pictures and earlier thinking.
#include "parlance/model/provider/http_model_test_support.h"

namespace parlance::model {
namespace {

using namespace test;

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

// The results of two calls; the second failed.
ChatRequest request_with_pictures_of_tools() {
  ChatRequest request = loop_request();
  std::vector<ToolResult>& results = request.messages.back().tool_results;
  results[0].attachments = {{.media_type = "image/png", .data = "\x89PNG"}, {.media_type = "audio/wav", .data = "abc"}};
  results[1].attachments = {{.media_type = "image/png", .data = "\x89PNG"}};
  return request;
}
constexpr std::string_view note =
    R"((With this message came a file (audio/wav, 3 bytes), which cannot be shown to you. Tell the person that you do not see it.))";

TEST_F(HttpModelTest, PicturesOfToolsFollowInAUserMessageOfOpenAi) {
  open(Kind::openai);
  server->answers = {hello};
  start(request_with_pictures_of_tools());
  const std::string picture = R"({"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw=="}})";
  EXPECT_THAT(
      server->requests[0].body,
      testing::HasSubstr(
          R"({"role":"tool","content":"text","tool_call_id":"t1"},{"role":"tool","content":"Error: it broke","tool_call_id":"t2"},)"
          R"({"role":"user","content":[{"type":"text","text":"(Pictures of the tool results above, in their order. The tools sent them, not the person.)\n\n)" +
          std::string(note) + R"("},)" + picture + "," + picture + R"(]}],"tools")"));
}

// The API refuses pictures in a result with is_error.
TEST_F(HttpModelTest, PicturesOfToolsAreInTheResultsOfAnthropic) {
  open(Kind::anthropic);
  server->answers = {hello_anthropic};
  start(request_with_pictures_of_tools());
  const std::string picture = R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw=="}})";
  EXPECT_THAT(
      server->requests[0].body,
      testing::HasSubstr(R"({"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"text\n\n)" +
                         std::string(note) + R"("},)" + picture +
                         R"(]},{"type":"tool_result","tool_use_id":"t2","content":"it broke","is_error":true},)" + picture));
}

ChatRequest request_with_all_parameters() {
  ChatRequest request{
      .messages = {{.role = Role::user, .content = "hi"}}, .tools = {{"read", "", ""}}, .model = "m", .max_tokens = 100};
  request.temperature = 0;
  request.parameters = {.top_p = 0.5, .parallel_calls = false, .stop = {"END"}, .effort = "low", .must_call = true};
  request.think = Think::on;
  return request;
}

TEST_F(HttpModelTest, TheOpenAiBodyHasAllParameters) {
  open(Kind::openai);
  server->answers = {hello};
  ChatRequest request = request_with_all_parameters();
  request.parameters.presence_penalty = 0.1;
  request.parameters.frequency_penalty = -0.1;
  request.parameters.seed = 7;
  start(request);
  EXPECT_TRUE(server->requests[0].body.ends_with(
      R"("max_tokens":100,"temperature":0,"top_p":0.5,"presence_penalty":0.1,"frequency_penalty":-0.1,"seed":7,"stop":["END"],)"
      R"("tool_choice":"required","parallel_tool_calls":false,"reasoning_effort":"low"})"))
      << server->requests[0].body;
}

TEST_F(HttpModelTest, TheAnthropicBodyHasAllParameters) {
  open(Kind::anthropic);
  server->answers = {hello_anthropic};
  ChatRequest request = request_with_all_parameters();
  start(request);
  EXPECT_TRUE(server->requests[0].body.ends_with(
      R"("tool_choice":{"type":"any","disable_parallel_tool_use":true},"temperature":0,"top_p":0.5,"stop_sequences":["END"],"stream":true})"))
      << server->requests[0].body << "; no thinking beside a forced call";
  request.parameters.must_call = false;
  request.max_tokens = 8192;
  request.temperature.reset();
  request.parameters.top_p.reset();
  start(request);
  EXPECT_EQ(body(1).find("thinking")->integer_or("budget_tokens", 0), 2048) << "a low effort";
}

TEST_F(HttpModelTest, AParameterUnknownToAnthropicIsRefusedByName) {
  open(Kind::anthropic);
  server->answers = {hello_anthropic};
  ChatRequest request = ask();
  request.parameters.seed = 7;
  start(request);
  ASSERT_TRUE(result);
  ASSERT_FALSE(*result);
  EXPECT_EQ(result->error().message, "$.seed: Anthropic's API has no such parameter; leave it out");
  EXPECT_TRUE(server->requests.empty());
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

TEST_F(HttpModelTest, SignedThinkingGoesBackWithinTheToolLoopEvenThroughAForgetfulHost) {
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
  answer.reasoning_state.clear();  // net/rpc's Message has no room for it
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

}  // namespace
}  // namespace parlance::model
