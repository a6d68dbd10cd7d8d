// SPDX-License-Identifier: Apache-2.0
// `response_format` and parameters of HTTP clients, on their way to the model.
#include "parlance/face/openai/structured_chat.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/parlance/gateway/test_support.h"

namespace parlance::app {
namespace {

using model::ChatRequest;
using model::ChunkSink;
using model::Completion;
using test::completions;
using test::GatewayBench;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view person_format =
    R"("response_format":{"type":"json_schema","json_schema":{"name":"person","description":"one person","schema":)"
    R"({"type":"object","properties":{"age":{"type":"integer"}},"required":["age"],"additionalProperties":false}}})";

Completion calling(std::string name, std::string arguments) {
  return {.tool_calls = {{.id = "c1", .name = std::move(name), .arguments = std::move(arguments)}},
          .stop = model::StopReason::tool_calls,
          .usage = {.input_tokens = 10, .output_tokens = 1}};
}

// The answers of the model, one after the other.
struct ModelBench : GatewayBench {
  explicit ModelBench(std::vector<Completion> script) : answers(std::move(script)) {
    agent.chat_script = [this](const ChatRequest&, ChunkSink& chunks) -> Task<Result<Completion>> {
      (void)chunks.on_chunk(model::TextDelta{"not checked yet"});
      co_return answers.at(std::min(next++, answers.size() - 1));
    };
  }
  HttpResponse ask(std::string_view members = person_format) {
    return send("POST", completions, R"({"messages":[{"role":"user","content":"Who?"}],)" + std::string(members) + "}");
  }
  std::vector<Completion> answers;
  std::size_t next = 0;
};

TEST(StructuredChat, TheInputOfTheToolIsTheAnswer) {
  ModelBench bench({calling("StructuredOutput", R"({"age":7})")});
  const HttpResponse answer = bench.ask();
  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_THAT(answer.body, HasSubstr(R"("content":"{\"age\":7}")"));
  EXPECT_THAT(answer.body, HasSubstr(R"("finish_reason":"stop")"));
  EXPECT_THAT(answer.body, Not(HasSubstr("tool_calls")));
  const ChatRequest& asked = bench.agent.requests.at(0);
  EXPECT_EQ(asked.tools.at(0).name, "StructuredOutput");
  EXPECT_THAT(asked.tools.at(0).parameters, HasSubstr(R"("required":["age"])"));
  EXPECT_TRUE(asked.parameters.must_call);
  EXPECT_THAT(asked.messages.at(0).content, HasSubstr("The answer: one person"));
}

TEST(StructuredChat, AWrongAnswerIsTriedAgain) {
  ModelBench bench({calling("StructuredOutput", R"({"age":"seven"})"), Completion{.content = "It is seven."},
                    Completion{.content = "```json\n{\"age\":7}\n```", .usage = {.input_tokens = 5, .output_tokens = 1}}});
  const HttpResponse answer = bench.ask();
  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_THAT(answer.body, HasSubstr(R"("content":"{\"age\":7}")"));
  EXPECT_THAT(answer.body, HasSubstr(R"("prompt_tokens":15)")) << "of all tries";
  ASSERT_EQ(bench.agent.requests.size(), 3U);
  const model::Message& fault = bench.agent.requests[1].messages.back();
  EXPECT_THAT(fault.tool_results.at(0).content, HasSubstr("does not fit the schema"));
  EXPECT_THAT(bench.agent.requests[2].messages.back().content, HasSubstr("call StructuredOutput now"));
}

TEST(StructuredChat, TriesEnd) {
  ModelBench bench({Completion{.content = "It is seven."}});
  const HttpResponse answer = bench.ask();
  EXPECT_EQ(answer.status, 502);
  EXPECT_THAT(answer.body, HasSubstr("No answer matched the schema in 5 tries"));
  EXPECT_EQ(bench.agent.requests.size(), 5U);
}

TEST(StructuredChat, CallsOfTheClientsToolsAreTheClients) {
  ModelBench bench({calling("look", "{}")});
  const std::string format = R"("tools":[{"type":"function","function":{"name":"look"}}],)" + std::string(person_format);
  const HttpResponse answer = bench.ask(format);
  EXPECT_THAT(answer.body, HasSubstr(R"("name":"look")"));
  EXPECT_FALSE(bench.agent.requests.at(0).parameters.must_call) << "it may look first";
}

TEST(StructuredChat, ACutAnswerKeepsItsReason) {
  ModelBench bench({Completion{.content = R"({"age)", .stop = model::StopReason::max_tokens}});
  EXPECT_THAT(bench.ask().body, HasSubstr(R"("finish_reason":"length")"));
}

TEST(StructuredChat, AStreamHasOnlyTheCheckedAnswer) {
  ModelBench bench({calling("StructuredOutput", R"({"age":"seven"})"), calling("StructuredOutput", R"({"age":7})")});
  const HttpResponse answer = bench.ask(R"("stream":true,)" + std::string(person_format));
  EXPECT_THAT(answer.body, HasSubstr(R"("content":"{\"age\":7}")"));
  EXPECT_THAT(answer.body, Not(HasSubstr("not checked yet")));
  EXPECT_THAT(answer.body, Not(HasSubstr("seven")));
}

TEST(StructuredChat, AnUnusableSchemaIsRefusedWithItsPlace) {
  ModelBench bench({Completion{}});
  const HttpResponse answer =
      bench.ask(R"("response_format":{"type":"json_schema","json_schema":{"name":"a","schema":{"type":"array"}}})");
  EXPECT_EQ(answer.status, 400);
  EXPECT_THAT(answer.body, HasSubstr(R"("param":"response_format.json_schema.schema")"));
  EXPECT_TRUE(bench.agent.requests.empty());
}

TEST(ChatOverOpenAi, ParametersReachTheModelWithAndWithoutTools) {
  const std::string members = R"("max_tokens":77,"temperature":0.25,"top_p":0.5,"stop":["END"],"reasoning_effort":"high")";
  for (const char* tools : {"", R"(,"tools":[{"type":"function","function":{"name":"a"}}],"tool_choice":"required")"}) {
    ModelBench bench({Completion{.content = "Hello."}});
    EXPECT_EQ(bench.ask(members + tools).status, 200);
    const bool brings = *tools != '\0';
    agent::ModelParameters wanted{77, 0.25, {.top_p = 0.5, .stop = {"END"}, .effort = "high", .must_call = brings}};
    const ChatRequest& asked = bench.agent.requests.at(0);
    if (brings) EXPECT_EQ((agent::ModelParameters{asked.max_tokens, asked.temperature, asked.parameters}), wanted);
    else EXPECT_THAT(bench.agent.parameters, testing::ElementsAre(wanted)) << "for the chats of the conversation";
    bench.until([&] { return bench.store.conversations.empty(); });
    EXPECT_TRUE(bench.agent.kept_parameters.empty());
  }
}

TEST(ChatOverOpenAi, AnotherAgentRefusesParametersByName) {
  ModelBench bench({Completion{}});
  bench.hub.add_agent(std::make_unique<hub::test::ScriptedProvider>(bench.script, bench.log));
  for (const auto& [member, name] : {std::pair(R"("temperature":0.5)", "temperature"), std::pair(R"("stop":"x")", "stop"),
                                     std::pair(R"("response_format":{"type":"json_object"})", "response_format")}) {
    const HttpResponse answer = bench.ask(R"("model":"scripted",)" + std::string(member));
    EXPECT_EQ(answer.status, 400) << member;
    EXPECT_THAT(answer.body, HasSubstr("\"param\":\"" + std::string(name) + "\"")) << member;
  }
  EXPECT_EQ(bench.ask(R"("model":"scripted","temperature":1,"reasoning_effort":"high")").status, 200);
}

TEST(GatewayFrontends, OtherApisNameChatCompletions) {
  ModelBench bench({Completion{}});
  for (const char* path : {"/v1/responses", "/v1/responses/resp_1", "/v1/completions", "/v1/messages"}) {
    const HttpResponse answer = bench.send("POST", path, "{}");
    EXPECT_EQ(answer.status, 404) << path;
    EXPECT_THAT(answer.body, HasSubstr("POST /v1/chat/completions")) << path;
  }
}

}  // namespace
}  // namespace parlance::app
