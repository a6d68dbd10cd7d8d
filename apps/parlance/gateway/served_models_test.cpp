// SPDX-License-Identifier: Apache-2.0
// The models visible to an OpenAI client of the gateway, and the agent behind each model.
#include "parlance/face/openai/served_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/parlance/gateway/test_support.h"
#include "parlance/hub/conversation/agent_info.h"

namespace parlance::app {
namespace {

using model::ChatRequest;
using model::ChunkSink;
using model::Completion;
using test::completions;
using test::GatewayBench;
using testing::HasSubstr;

TEST(ServedModels, ListsItsModels) {
  GatewayBench bench;
  EXPECT_EQ(
      bench.send("GET", "/v1/models").body,
      R"({"object":"list","data":[{"id":"parlance","object":"model","created":1700000000,"owned_by":"parlance"},{"id":"rehearsal","object":"model","created":1700000000,"owned_by":"parlance"}]})");
  EXPECT_EQ(bench.send("GET", "/v1/models/rehearsal").body,
            R"({"id":"rehearsal","object":"model","created":1700000000,"owned_by":"parlance"})");
}

struct NamedProvider final : hub::AgentProvider {
  NamedProvider(std::string name, Loop& loop, agent::ChatBackend& backend) : name(std::move(name)), inner(loop, backend) {}
  hub::AgentInfo info() const override { return {.id = name, .name = name, .models = {"large", "small"}}; }
  Task<Result<std::unique_ptr<hub::Agent>>> open(hub::SessionSetup setup, hub::AgentHost host) override {
    return inner.open(std::move(setup), host);
  }
  std::string name;
  test::FakeChatProvider inner;
};

TEST(ServedModels, AgentsOfTheHubAreModels) {
  GatewayBench bench;
  test::FakeAgent claude;
  claude.chat_script = [](const ChatRequest& request, ChunkSink&) -> Task<Result<Completion>> {
    co_return Completion{.content = "Claude with " + (request.model.empty() ? "its own model" : request.model)};
  };
  bench.hub.add_agent(std::make_unique<NamedProvider>("claude", bench.loop, claude));
  const auto list = json::parse(bench.send("GET", "/v1/models").body);
  ASSERT_TRUE(list);
  std::vector<std::string> names;
  for (const json::Value& entry : *list->find("data")->array()) names.emplace_back(entry.text_or("id", ""));
  EXPECT_EQ(names, (std::vector<std::string>{"parlance", "rehearsal", "claude", "claude/large", "claude/small"}));
  for (const std::string& name : names) EXPECT_EQ(bench.send("GET", "/v1/models/" + name).status, 200) << name;

  const auto answer_of = [&](const std::string& model) {
    return bench.send("POST", completions, R"({"model":")" + model + R"(","messages":[{"role":"user","content":"x"}]})").body;
  };
  EXPECT_THAT(answer_of("claude"), HasSubstr("Claude with its own model"));
  EXPECT_THAT(answer_of("claude/small"), HasSubstr("Claude with small"));
  EXPECT_THAT(answer_of("claude"), HasSubstr(R"("model":"claude")"));
  for (const char* own : {"parlance", "rehearsal", ""}) EXPECT_THAT(answer_of(own), HasSubstr("Hello.")) << own;
  EXPECT_EQ(bench.agent.requests.size(), 3U);

  const HttpResponse tools = bench.send("POST", completions, R"({"model":"claude","messages":[{"role":"user","content":"x"}],
      "tools":[{"type":"function","function":{"name":"a"}}]})");
  EXPECT_EQ(tools.status, 400);
  EXPECT_THAT(tools.body, HasSubstr("the agent claude runs its own tools and takes none of a client"));
}

TEST(ServedModels, AnUnknownModelIsNotFoundWhereverItIsNamed) {
  GatewayBench bench;
  const std::string chat = R"({"model":"gpt-99","messages":[{"role":"user","content":"x"}]})";
  std::string stream = chat;
  stream.insert(1, R"("stream":true,)");
  for (const HttpResponse& unknown :
       {bench.send("GET", "/v1/models/gpt-99"), bench.send("POST", completions, chat), bench.send("POST", completions, stream)}) {
    EXPECT_EQ(unknown.status, 404);
    EXPECT_EQ(unknown.body, R"({"error":{"message":"there is no model `gpt-99` here; there are: parlance, rehearsal",)"
                            R"("type":"invalid_request_error","param":null,"code":"model_not_found"}})");
  }
  EXPECT_TRUE(bench.agent.requests.empty());
}

}  // namespace
}  // namespace parlance::app
