// SPDX-License-Identifier: Apache-2.0
// An agent over HTTP, played by the test: refusals, ends, and limits of memory.
#include "parlance/protocol/acp/http_frames.h"

#include <deque>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/codec/json/value.h"
#include "parlance/protocol/acp/client.h"
#include "parlance/protocol/acp/outline.h"
#include "parlance/transport/http/http_server.h"

namespace parlance::acp {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

struct Updates : ClientHandler {
  void on_update(SessionUpdate) override { ++count; }
  bool congested() const override { return stands_still; }
  Task<void> wait_writable() override {
    while (stands_still) co_await changed.wait();
  }
  explicit Updates(Loop& loop) : changed(loop) {}
  int count = 0;
  bool stands_still = false;
  Signal changed;
};

class HttpFramesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"}) unsetenv(name);
    auto listening = HttpServer::listen(loop, {.host = "127.0.0.1", .port = 0},
                                        [this](HttpExchange& exchange) -> Task<void> { co_await answer(exchange); });
    ASSERT_TRUE(listening) << listening.error().message;
    server = *std::move(listening);
    url = "http://127.0.0.1:" + std::to_string(server->port()) + "/acp";
  }

  struct Stream {
    std::deque<std::string> said;
    bool ends = false;
    bool is_cut = false;  // as when its machine vanished, and the system has noticed
  };
  static std::string header_of(const ServerRequest& request, std::string_view name) {
    const std::string* const value = request.header(name);
    return value == nullptr ? "" : *value;
  }
  static HttpReply json(std::string body) { return HttpReply{.body = std::move(body)}.with("Content-Type", "application/json"); }
  static std::string reply(const json::Value& to, const std::string& result) {
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(to.integer_or("id", -1)) + R"(,"result":)" + result + "}";
  }
  void say(const std::string& session, std::string text) {
    streams[session].said.push_back(std::move(text));
    changed.notify_all();
  }
  void end_stream(const std::string& session) {
    streams[session].ends = true;
    changed.notify_all();
  }

  Task<void> answer(HttpExchange& exchange) {
    const ServerRequest& request = exchange.request();
    const std::string session = header_of(request, session_header);
    seen.push_back(request.method + (session.empty() ? "" : " " + session));
    if (request.method == "GET") co_return co_await stream(exchange, session);
    if (request.method == "DELETE") co_return static_cast<void>(co_await exchange.respond({.status = 202}));
    const json::Value message = *json::parse(request.body);
    const std::string method(message.text_or("method", ""));
    if (const auto refused = statuses.find(method); refused != statuses.end()) {
      HttpReply no{.status = refused->second, .body = "not now\nreally"};
      co_return static_cast<void>(co_await exchange.respond(std::move(no)));
    }
    if (method == "initialize") {
      HttpReply yes = json(
          reply(message, R"({"protocolVersion":1,"agentCapabilities":{"loadSession":true,"sessionCapabilities":{"list":{}}}})"));
      if (names_connection) yes = std::move(yes).with("Acp-Connection-Id", "c-1");
      co_return static_cast<void>(co_await exchange.respond(std::move(yes)));
    }
    EXPECT_EQ(header_of(request, connection_header), "c-1");
    if (method == "session/new") say("", reply(message, R"({"sessionId":"s-1"})"));
    if (method == "session/load") say("", reply(message, "{}"));
    if (method == "session/list") say("", reply(message, R"({"sessions":[]})"));
    if (method == "session/prompt" && answers_prompts) say(session, reply(message, R"({"stopReason":"end_turn"})"));
    static_cast<void>(co_await exchange.respond({.status = 202}));
  }
  Task<void> stream(HttpExchange& exchange, const std::string& session) {
    if (const auto refused = stream_statuses.find(session); refused != stream_statuses.end())
      co_return static_cast<void>(co_await exchange.respond({.status = refused->second, .body = "taken"}));
    static_cast<void>(co_await exchange.begin(200, event_stream_headers()));
    Stream& from = streams[session];
    for (;;) {
      while (from.said.empty() && !from.ends && !from.is_cut) co_await changed.wait();
      if (from.is_cut) co_return;
      if (from.said.empty()) break;
      std::string text = "data: " + from.said.front() + "\n\n";
      from.said.pop_front();
      written += text.size();
      if (!co_await exchange.write(std::move(text))) co_return;
    }
    from.ends = false;
    static_cast<void>(co_await exchange.end());
  }

  Result<void> connect() {
    client = std::make_unique<Client>(loop, http_frames(loop, url, {}), updates, ClientSettings{.request_timeout = 20s});
    scope.start([](HttpFramesTest& test) -> Task<void> { test.ended = co_await test.client->run(); }(*this));
    return loop.block_on(client->connect());
  }
  void connect_with_session() {
    const auto connected = connect();
    ASSERT_TRUE(connected) << connected.error().message;
    ASSERT_EQ(loop.block_on(client->new_session({.cwd = "/"}))->session_id, "s-1");
  }
  Result<PromptResult> prompt() { return loop.block_on(client->prompt({.session_id = "s-1", .prompt = {acp::text("hello")}})); }

  Loop loop;
  std::unique_ptr<HttpServer> server;
  std::string url;
  bool names_connection = true;
  bool answers_prompts = true;
  std::map<std::string, int> statuses;         // of POSTs, by method
  std::map<std::string, int> stream_statuses;  // by session
  std::map<std::string, Stream> streams;
  std::vector<std::string> seen;
  std::size_t written = 0;
  Signal changed{loop};
  Updates updates{loop};
  std::unique_ptr<Client> client;
  std::optional<Error> ended;
  Scope scope{loop};
};

TEST_F(HttpFramesTest, EachSessionHasAStreamOfItsOwnAndTheEndIsReported) {
  connect_with_session();
  ASSERT_TRUE(prompt());
  EXPECT_THAT(seen, Contains("GET"));
  EXPECT_THAT(seen, Contains("GET s-1"));
  EXPECT_THAT(seen, Contains("POST s-1"));
  EXPECT_EQ(std::ranges::count(seen, "GET s-1"), 1);
  loop.block_on(client->stop());
  EXPECT_EQ(seen.back(), "DELETE");
  EXPECT_EQ(client->state(), ConnectionState::closed);
}

TEST_F(HttpFramesTest, AServerOtherThanAnAgentIsReported) {
  names_connection = false;
  EXPECT_THAT(connect().error().message, HasSubstr("no Acp-Connection-Id"));
  statuses["initialize"] = 401;
  const Error denied = connect().error();
  EXPECT_EQ(denied.code, Errc::denied);
  EXPECT_THAT(denied.message, HasSubstr(url + ": HTTP status 401: not now"));
  EXPECT_THAT(denied.message, Not(HasSubstr("really"))) << "one line will do";
  server.reset();
  EXPECT_THAT(connect().error().message, HasSubstr("nobody listens there"));
}

TEST_F(HttpFramesTest, ARefusedRequestFailsAlone) {
  connect_with_session();
  statuses["session/list"] = 503;
  EXPECT_THAT(loop.block_on(client->list_sessions()).error().message, HasSubstr("503: not now"));
  statuses.clear();
  EXPECT_TRUE(loop.block_on(client->list_sessions()));
  EXPECT_TRUE(prompt());
  EXPECT_FALSE(ended);
}

TEST_F(HttpFramesTest, AnAgentWithoutOurConnectionEndsTheConnection) {
  connect_with_session();
  statuses["session/prompt"] = 404;
  EXPECT_THAT(prompt().error().message, HasSubstr("HTTP status 404"));
  loop.run_for(10ms);
  ASSERT_TRUE(ended);
  EXPECT_FALSE(prompt()) << "nothing is sent on a connection that has ended";
}

TEST_F(HttpFramesTest, ASessionOfAnotherReaderIsRefusedUntilALoad) {
  stream_statuses["s-1"] = 409;
  answers_prompts = false;
  connect_with_session();
  EXPECT_THAT(prompt().error().message, HasSubstr("409: taken"));
  EXPECT_THAT(prompt().error().message, HasSubstr("409")) << "without asking again";
  EXPECT_TRUE(loop.block_on(client->list_sessions())) << "the connection is well";
  stream_statuses.clear();
  answers_prompts = true;
  ASSERT_TRUE(loop.block_on(client->load_session({.session_id = "s-1", .cwd = "/"})));
  EXPECT_TRUE(prompt());
}

TEST_F(HttpFramesTest, AnEndedStreamFailsItsRequestsAndIsFetchedAgain) {
  connect_with_session();
  answers_prompts = false;
  loop.post([this] { loop.post([this] { end_stream("s-1"); }); });
  EXPECT_THAT(prompt().error().message, HasSubstr("the agent ended its stream"));
  answers_prompts = true;
  EXPECT_TRUE(prompt());
  EXPECT_EQ(std::ranges::count(seen, "GET s-1"), 2);
  end_stream("");
  EXPECT_FALSE(loop.block_on(client->list_sessions()));
  loop.run_for(10ms);
  EXPECT_TRUE(ended) << "without its own stream a connection is none";
}

TEST_F(HttpFramesTest, AVanishedAgentEndsTheConnectionAndAllRequests) {
  for (const char* session : {"", "s-1"}) {
    connect_with_session();
    ASSERT_TRUE(prompt());
    answers_prompts = false;
    loop.post([&] {
      loop.post([&] {
        streams[session].is_cut = true;
        changed.notify_all();
      });
    });
    const auto outcome = prompt();
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, Errc::disconnected) << outcome.error().message;
    loop.run_for(10ms);
    EXPECT_TRUE(ended);
    EXPECT_FALSE(prompt()) << "it is never used again";
    client.reset();
    ended.reset();
    streams.clear();
    answers_prompts = true;
  }
}

TEST_F(HttpFramesTest, AStoppedReaderMakesTheAgentWait) {
  connect_with_session();
  ASSERT_TRUE(prompt());
  updates.stands_still = true;
  const std::string update =
      R"({"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s-1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":")" +
      std::string(64 << 10, 'x') + "\"}}}}";
  constexpr int many = 1000;  // 64 MB
  for (int i = 0; i < many; ++i) say("s-1", update);
  loop.run_for(500ms);
  EXPECT_LT(written, std::size_t{32} << 20) << "limited by the sockets and our buffers";
  updates.stands_still = false;
  updates.changed.notify_all();
  loop.run_until([&] { return updates.count >= many; });
  EXPECT_EQ(updates.count, many);
}

}  // namespace
}  // namespace parlance::acp
