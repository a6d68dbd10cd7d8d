// SPDX-License-Identifier: Apache-2.0
// Programs that speak HTTP to all of `parlance up`: they get the agent with its tools and its rules, and the embedding service.
#include <chrono>
#include <cstdlib>

#include "parlance/base/base64.h"
#include "tests/system/conversations.h"

namespace parlance::test {
namespace {

using testing::HasSubstr;

class HttpClients : public ConversationsTest {
 protected:
  static std::string saying(std::string_view text, std::string_view more = "") {
    return R"({"model":"parlance","messages":[{"role":"user","content":")" + std::string(text) + "\"}]" + std::string(more) + "}";
  }
  static std::string content_of(const HttpResponse& response) {
    return text_at(parsed(response.body), {"choices", "0", "message", "content"});
  }
  std::unique_ptr<WebSocketFrames> chat_socket() {
    auto frames = get(connect_websocket(loop, {.url = "ws" + base.substr(4) + "ws/chat?token=" + token}));
    if (!frames) throw std::runtime_error(frames.error().message);
    return *std::move(frames);
  }
  static Task<json::Value> end_of_answer(Frames& frames) {
    for (;;) {
      const auto batch = co_await read_frames(frames);
      if (!batch || batch->empty()) throw std::runtime_error("the connection ended");
      for (const BytesView frame : *batch)
        if (auto message = parsed(frame); message.text_or("type", "") != "chunk") co_return message;
    }
  }
};

TEST_F(HttpClients, TheirMemoriesAreStored) {
  start_up();
  until_agent();
  EXPECT_THAT(content_of(answer("POST", "v1/chat/completions", saying("remember that I prefer green tea"))), HasSubstr("Kept:"));
  const json::Value found = parsed(answer("GET", "memory/search?query=green%20tea").body);
  EXPECT_EQ(text_at(found, {"items", "0", "text"}), "I prefer green tea");
  EXPECT_EQ(text_at(found, {"items", "0", "category"}), "preference");

  const auto socket = chat_socket();
  ASSERT_TRUE(
      socket->send(R"({"type":"chat","content":{"messages":[{"role":"user","content":"remember that I like black coffee"}]}})"));
  const json::Value message = get(end_of_answer(*socket));
  EXPECT_EQ(text_at(message, {"type"}), "done");
  EXPECT_THAT(text_at(message, {"content", "content"}), HasSubstr("Kept:"));
  EXPECT_EQ(parsed(answer("GET", "memory/list").body).integer_or("count", 0), 2);
}

TEST_F(HttpClients, ThePageAnswersWhatTheirAgentAsks) {
  start_up();
  until_agent();
  const auto page = connect();
  for (const auto& [kind, file] : {std::pair("allow_once", "yes.txt"), std::pair("reject_once", "no.txt")}) {
    std::optional<Result<HttpResponse>> response;
    const auto ask = [&](HttpRequest wanted) -> Task<void> { response = co_await client.fetch(std::move(wanted)); };
    Scope scope(loop);
    scope.start(ask(request("POST", "v1/chat/completions", saying("write " + std::string(file) + " hello"))));
    const json::Value card = open_ask(*page);
    EXPECT_EQ(text_at(page->conversations.at(text_at(card, {"conversation"})), {"via"}), "http");
    EXPECT_FALSE(response) << "nobody has decided yet";
    done(*page, "answer", answer_to(card, kind));
    until([&] { return response.has_value(); }, "the answer");
    ASSERT_TRUE(*response) << response->error().message;
    EXPECT_EQ((*response)->status, 200) << (*response)->body;
    EXPECT_EQ(std::filesystem::exists(work() + "/" + file), std::string_view(kind) == "allow_once");
    until([&] { return ask_in_state(*page, "open").is_null(); }, "the page to receive the settled request");
  }
}

TEST_F(HttpClients, AKilledGatewayKeepsNoConversationOfARequest) {
  start_up();
  until_agent();
  {
    auto page = connect();
    std::optional<Result<HttpResponse>> response;
    const auto ask = [&](HttpRequest wanted) -> Task<void> { response = co_await client.fetch(std::move(wanted)); };
    Scope scope(loop);
    scope.start(ask(request("POST", "v1/chat/completions", saying("write a.txt hello"))));
    open_ask(*page);
    kill_everything();
    until([&] { return response.has_value(); }, "the end of the request");
  }
  start_up();
  const auto page = connect();
  EXPECT_TRUE(page->conversations.empty());
  EXPECT_TRUE(page->asks.empty());
}

TEST_F(HttpClients, TheGatewayEmbedsForWhoHasItsToken) {
  start_up();
  const HttpResponse floats = answer("POST", "v1/embeddings", R"({"model":"any","input":["green tea","black coffee"]})");
  EXPECT_EQ(floats.status, 200) << floats.body;
  const json::Value body = parsed(floats.body);
  EXPECT_EQ(text_at(body, {"data", "1", "index"}), "1");
  const std::size_t dimension = at(body, {"data", "0", "embedding"}).array()->size();
  EXPECT_GT(dimension, 100U);
  const HttpResponse packed =
      answer("POST", "v1/embeddings",
             R"({"input":"green tea","encoding_format":"base64","dimensions":)" + std::to_string(dimension) + "}");
  EXPECT_EQ(from_base64(text_at(parsed(packed.body), {"data", "0", "embedding"}))->size(), 4 * dimension);
  for (const char* wrong : {R"({"input":""})", R"({"input":"x","dimensions":3})", "{}", "no JSON"})
    EXPECT_EQ(answer("POST", "v1/embeddings", wrong).status, 400) << wrong;
  HttpRequest stranger = request("POST", "v1/embeddings", R"({"input":"x"})");
  stranger.headers = {{"Content-Type", "application/json"}};
  EXPECT_EQ(send(stranger)->status, 401);

  // It comes back elsewhere, and is found there.
  ::kill(service_pid("embed"), SIGKILL);
  until_observed([&] { return answer("POST", "v1/embeddings", R"({"input":"x"})").status == 200; }, "the embedding service");
}

TEST_F(HttpClients, AGatewayAloneSaysWhatIsMissing) {
  std::filesystem::create_directories(work());
  const auto gateway = launch(with_program({"gateway", "--listen", "127.0.0.1:0", "--agent-socket", socket(), "--state", state(),
                                            "--folder", work(), "--ready-file", ready_file()}));
  until_file(ready_file(), [&] { return !read_file(ready_file()).empty() || gateway->ended(); }, "the gateway");
  ready = parsed(read_file(ready_file()));
  base = text_at(ready, {"url"});
  base = base.substr(0, base.find('#'));
  token = text_at(ready, {"token"});
  const HttpResponse refused = answer("POST", "v1/embeddings", R"({"input":"x"})");
  EXPECT_EQ(refused.status, 503);
  EXPECT_THAT(refused.body, HasSubstr("no embedding service runs with this gateway: parlance up starts one"));
}

}  // namespace
}  // namespace parlance::test
