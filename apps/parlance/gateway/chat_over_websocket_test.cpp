// SPDX-License-Identifier: Apache-2.0
// Chats over /ws/chat of the gateway, over real sockets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/parlance/gateway/test_support.h"
#include "parlance/face/openai/limits.h"

namespace parlance::app {
namespace {

using namespace std::chrono_literals;
using model::ChatRequest;
using model::ChunkSink;
using model::Completion;
using test::GatewayBench;
using test::page_subprotocols;
using testing::HasSubstr;
using testing::StartsWith;

std::unique_ptr<WebSocketFrames> chat_socket(GatewayBench& bench, std::string_view path = "/ws/chat?token=t0ken") {
  auto socket = bench.connect(path, {});
  EXPECT_TRUE(socket) << socket.error().message;
  return socket ? *std::move(socket) : nullptr;
}

TEST(ChatOverWebSocket, TakesTheTokenInAllItsForms) {
  GatewayBench bench;
  EXPECT_TRUE(bench.connect("/ws/chat?token=t0ken", {}));
  EXPECT_TRUE(bench.connect("/ws/chat", page_subprotocols));
  EXPECT_TRUE(bench.connect("/ws/chat", {}, {{"X-OCG-UI-Token", "t0ken"}}));
  EXPECT_FALSE(bench.connect("/ws/chat", {}));
  EXPECT_FALSE(bench.connect("/ws/chat?token=wrong", {}));
  EXPECT_FALSE(bench.connect("/ws/chat?token=t0ken", {}, {{"Origin", "http://evil.example"}}));
}

TEST(ChatOverWebSocket, AnswersInPiecesAndThenWhole) {
  GatewayBench bench;
  bench.agent.chat_script = [](const ChatRequest&, ChunkSink& chunks) -> Task<Result<Completion>> {
    (void)chunks.on_chunk(model::ReasoningDelta{.text = "hm"});
    for (const char* piece : {"Hel", "lo."}) (void)chunks.on_chunk(model::TextDelta{.text = piece});
    co_return Completion{.content = "Hello.", .usage = {.input_tokens = 7, .output_tokens = 2}};
  };
  const auto socket = chat_socket(bench);
  // The content as an object, and as text that holds one: deployed clients send both.
  for (const char* request :
       {R"({"type":"chat","content":{"model":"m","messages":[{"role":"user","content":"hi"}]}})",
        R"({"type":"chat","content":"{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}"})"}) {
    ASSERT_TRUE(socket->send(request));
    EXPECT_EQ(bench.receive(*socket), R"({"type":"chunk","content":{"content":"","finish":false,"reasoning":"hm"}})");
    EXPECT_EQ(bench.receive(*socket), R"({"type":"chunk","content":{"content":"Hello.","finish":false}})")
        << "said in one breath";
    EXPECT_EQ(bench.receive(*socket), R"({"type":"done","content":{"content":"Hello.","finish":true,"totalTokens":9}})");
    EXPECT_EQ(bench.agent.requests.back().model, "") << "any name is our own agent";
    EXPECT_EQ(bench.agent.requests.back().messages.at(0).content, "hi");
  }
}

TEST(ChatOverWebSocket, AnswersPingsAlsoWhileAChatRuns) {
  GatewayBench bench;
  Signal finish(bench.loop);
  bench.agent.chat_script = [&](const ChatRequest&, ChunkSink&) -> Task<Result<Completion>> {
    co_await finish.wait();
    co_return Completion{.content = "late"};
  };
  const auto socket = chat_socket(bench);
  const std::string chat = R"({"type":"chat","content":{"messages":[{"role":"user","content":"hi"}]}})";
  ASSERT_TRUE(socket->send(chat));
  ASSERT_TRUE(socket->send(chat));
  ASSERT_TRUE(socket->send(R"({"type":"ping"})"));
  EXPECT_EQ(bench.receive(*socket), R"({"type":"pong"})");
  EXPECT_EQ(bench.agent.running_chats, 1) << "one at a time";
  for (int i = 0; i < 2; ++i) {
    bench.until([&] { return bench.agent.running_chats == 1; });
    finish.notify_all();
    EXPECT_EQ(bench.receive(*socket), R"({"type":"chunk","content":{"content":"late","finish":false}})");
    EXPECT_THAT(bench.receive(*socket), StartsWith(R"({"type":"done","content":{"content":"late","finish":true)"));
  }
}

TEST(ChatOverWebSocket, SaysWhatIsWrong) {
  GatewayBench bench;
  bench.agent.chat_script = [](const ChatRequest&, ChunkSink&) -> Task<Result<Completion>> {
    co_return fail(Errc::failed, "no model");
  };
  const auto socket = chat_socket(bench);
  for (const auto& [message, error] : std::initializer_list<std::pair<std::string_view, std::string_view>>{
           {"nonsense", "invalid message format: "},
           {"{}", "invalid message format: $.type: missing"},
           {R"({"type":"history"})", "unknown message type: history"},
           {R"({"type":"chat"})", "invalid request: $.content: missing"},
           {R"({"type":"chat","content":{}})", "invalid request: $.messages: missing"},
           {R"({"type":"chat","content":"{"})", "invalid request: "},
           {R"({"type":"chat","content":{"messages":[]}})", "invalid request: $.messages: "},
           {R"({"type":"chat","content":{"messages":[{"role":"user","content":"x"}]}})", "chat error: no model"},
       }) {
    ASSERT_TRUE(socket->send(message));
    const auto answer = json::parse(bench.receive(*socket));
    ASSERT_TRUE(answer) << message;
    EXPECT_EQ(answer->text_or("type", ""), "error") << message;
    EXPECT_TRUE(answer->find("content")->boolean_or("finish", false));
    EXPECT_TRUE(answer->find("content")->text_or("error", "").starts_with(error)) << message << ": " << json::to_text(*answer);
  }
}

TEST(ChatOverWebSocket, QueuesAFewAndRefusesMore) {
  GatewayBench bench;
  Signal never(bench.loop);
  bench.agent.chat_script = [&](const ChatRequest&, ChunkSink&) -> Task<Result<Completion>> {
    co_await never.wait();
    co_return Completion{};
  };
  const auto socket = chat_socket(bench);
  for (std::size_t i = 0; i < limits::waiting_chats + 2; ++i)
    ASSERT_TRUE(socket->send(R"({"type":"chat","content":{"messages":[{"role":"user","content":"hi"}]}})"));
  EXPECT_THAT(bench.receive(*socket), HasSubstr("too many requests wait"));
  socket->close();
  bench.until([&] { return bench.agent.running_chats == 0; });
}

}  // namespace
}  // namespace parlance::app
