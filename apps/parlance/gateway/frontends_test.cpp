// SPDX-License-Identifier: Apache-2.0
// Every address of the gateway over real sockets, when all is well and when it is not.
#include "apps/parlance/gateway/frontends.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/parlance/gateway/test_support.h"
#include "parlance/face/openai/limits.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/memory/limits.h"
#include "parlance/server/embed/embed_over_http.h"
#include "parlance/server/embed/embedder_on_worker.h"

namespace parlance::app {
namespace {

using namespace std::chrono_literals;
using model::ChatRequest;
using model::ChunkSink;
using model::Completion;
using test::completions;
using test::GatewayBench;
using test::page_subprotocols;
using testing::HasSubstr;
using testing::StartsWith;

// ---- permissions -----------------------------------------------------------------------------------------------------

TEST(GatewayFrontends, EveryAddressButThePageWantsTheToken) {
  GatewayBench bench;
  struct Address {
    std::string method, path;
  };
  for (const auto& [method, path] : std::vector<Address>{{"POST", "/v1/chat/completions"},
                                                         {"GET", "/v1/models"},
                                                         {"GET", "/v1/models/rehearsal"},
                                                         {"GET", "/memory/search?query=x"},
                                                         {"GET", "/memory/get?path=m1"},
                                                         {"POST", "/memory/store"},
                                                         {"GET", "/memory/list"},
                                                         {"DELETE", "/memory/forget?path=m1"},
                                                         {"GET", "/storage/stats"},
                                                         {"GET", "/attachments/attachment_1"},
                                                         {"GET", "/databases"},
                                                         {"GET", "/sqlite?path=/x.db"},
                                                         {"GET", "/doctor"},
                                                         {"GET", "/health"},
                                                         {"GET", "/metrics"},
                                                         {"GET", "/ws"},
                                                         {"GET", "/ws/chat"}}) {
    const auto status_with = [&](std::vector<HttpHeader> headers) {
      HttpRequest request = bench.request(method, path, method == "POST" ? "{}" : "");
      request.headers = std::move(headers);
      const auto answer = bench.loop.block_on(bench.client.fetch(std::move(request)));
      return answer ? answer->status : 0;
    };
    const HttpHeader token{.name = "X-OCG-UI-Token", .value = "t0ken"};
    EXPECT_EQ(status_with({}), 401) << path;
    EXPECT_EQ(status_with({{"Authorization", "Bearer wrong"}}), 401) << path;
    EXPECT_EQ(status_with({token, {"Host", "evil.example"}}), 403) << path;
    EXPECT_EQ(status_with({token, {"Origin", "http://evil.example"}}), 403) << path;
    const int with_token = status_with({token});
    EXPECT_NE(with_token, 401) << path;
    EXPECT_NE(with_token, 403) << path;
  }
  EXPECT_TRUE(bench.agent.requests.empty());
}

TEST(GatewayFrontends, ThePageIsOpenForAllOnThisMachine) {
  GatewayBench bench;
  HttpRequest request{.url = bench.url("/"), .total_timeout = 20s};
  const auto answer = bench.loop.block_on(bench.client.fetch(request));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_THAT(answer->body, HasSubstr("<title>parlance</title>"));
  EXPECT_THAT(GatewayBench::header(*answer, "Content-Security-Policy"), HasSubstr("script-src 'self'"));
}

// A browser keeps the headers of the last answer: with another policy on the 304 the page would not run after a reload.
TEST(GatewayFrontends, AnUnchangedPageKeepsItsPolicy) {
  GatewayBench bench;
  HttpRequest request{.url = bench.url("/"), .total_timeout = 20s};
  const auto first = bench.loop.block_on(bench.client.fetch(request));
  ASSERT_TRUE(first);
  request.headers.push_back({.name = "If-None-Match", .value = std::string(GatewayBench::header(*first, "ETag"))});
  const auto again = bench.loop.block_on(bench.client.fetch(request));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->status, request.headers.back().value.empty() ? 200 : 304);  // a build without the page has nothing to tag
  EXPECT_EQ(GatewayBench::header(*again, "Content-Security-Policy"), GatewayBench::header(*first, "Content-Security-Policy"));
}

TEST(GatewayFrontends, OtherMethodsGetTheListOfMethods) {
  GatewayBench bench;
  for (const auto& [method, path, allow] : std::initializer_list<std::tuple<std::string, std::string, std::string_view>>{
           {"GET", "/v1/chat/completions", "POST, OPTIONS"},
           {"POST", "/v1/models", "GET, HEAD, OPTIONS"},
           {"DELETE", "/memory/store", "POST, OPTIONS"},
           {"POST", "/memory/search", "GET, HEAD, OPTIONS"},
           {"POST", "/memory/list", "GET, HEAD, OPTIONS"},
           {"GET", "/memory/forget?path=m1", "DELETE, OPTIONS"},
           {"PUT", "/storage/stats", "GET, HEAD, OPTIONS"},
           {"POST", "/health", "GET, HEAD, OPTIONS"},
           {"POST", "/ws", "GET, OPTIONS"},
           {"POST", "/", "GET, HEAD, OPTIONS"},
       }) {
    const HttpResponse answer = bench.send(method, path);
    EXPECT_EQ(answer.status, 405) << path;
    EXPECT_EQ(GatewayBench::header(answer, "Allow"), allow) << path;
    EXPECT_THAT(answer.body, HasSubstr(R"("code":"method_not_allowed")"));
  }
}

TEST(GatewayFrontends, OtherFeaturesOfTheDeployedGatewayAreReportedAsElsewhere) {
  GatewayBench bench;
  for (const auto& [method, path] : std::initializer_list<std::pair<std::string, std::string>>{{"POST", "/process/start"},
                                                                                               {"GET", "/process/list"},
                                                                                               {"GET", "/cron/status"},
                                                                                               {"POST", "/cron/add"},
                                                                                               {"POST", "/telegram/webhook"},
                                                                                               {"GET", "/cron"}}) {
    const HttpResponse answer = bench.send(method, path);
    EXPECT_EQ(answer.status, 404) << path;
    EXPECT_THAT(answer.body, HasSubstr(R"("code":"not_served")")) << path;
    EXPECT_THAT(answer.body, HasSubstr("not part of this gateway")) << path;
  }
  EXPECT_THAT(bench.send("GET", "/processes").body, HasSubstr(R"("code":"not_found")"));
}

// ---- health and metrics ------------------------------------------------------------------------------------------------

TEST(GatewayFrontends, HealthNamesTheServices) {
  GatewayBench bench;
  bench.hub.service_changed({.name = "agent", .state = hub::Health::ready});
  const auto health = json::parse(bench.send("GET", "/health").body);
  ASSERT_TRUE(health);
  EXPECT_EQ(health->text_or("status", ""), "ok");
  EXPECT_EQ(health->text_or("version", ""), "1.2.3");
  EXPECT_GE(health->integer_or("uptime_s", -1), 0);
  bench.hub.service_changed({.name = "agent", .state = hub::Health::down, .detail = "it ended"});
  const HttpResponse answer = bench.send("GET", "/health");
  EXPECT_EQ(answer.status, 200) << "the gateway itself is well";
  EXPECT_THAT(answer.body, StartsWith(R"({"status":"degraded","version":"1.2.3",)"));
  EXPECT_THAT(answer.body, HasSubstr(R"({"name":"agent","state":"down","detail":"it ended"})"));
  EXPECT_EQ(bench.send("HEAD", "/health").body, "");
}

TEST(GatewayFrontends, MetricsCountTheFrontendsWork) {
  GatewayBench bench;
  const auto page = bench.connect("/ws", page_subprotocols);
  ASSERT_TRUE(page);
  ASSERT_TRUE((*page)->send(R"({"type":"ready"})"));
  bench.receive(**page);
  const std::string metrics = bench.send("GET", "/metrics").body;
  for (const char* line : {"parlance_pages 1\n", "parlance_page_snapshots_total 1\n", "parlance_conversations 0\n",
                           "parlance_open_asks 0\n", "parlance_http_requests_total{route=\"/ws\",code=\"101\"} 1\n"})
    EXPECT_THAT(metrics, HasSubstr(line));
}

// ---- memory ------------------------------------------------------------------------------------------------------------

TEST(GatewayFrontends, MemoryIsSearchedWithItsFilters) {
  GatewayBench bench;
  const HttpResponse found = bench.send("GET", "/memory/search?query=green%20tea&category=fact&limit=3&minScore=0.25");
  EXPECT_EQ(found.status, 200);
  EXPECT_EQ(found.body, R"({"id":"m1","text":"tea"})");
  ASSERT_EQ(bench.agent.searches.size(), 1U);
  EXPECT_EQ(bench.agent.searches[0].query, "green tea");
  EXPECT_EQ(bench.agent.searches[0].category, "fact");
  EXPECT_EQ(bench.agent.searches[0].limit, 3);
  EXPECT_EQ(bench.agent.searches[0].min_score, 0.25);
  EXPECT_EQ(bench.send("GET", "/memory/search?query=x&limit=&minScore=").status, 200);
  EXPECT_EQ(bench.agent.searches[1].limit, std::nullopt) << "the agent's to decide";
  for (const char* wrong : {"", "?query=", "?query=%20", "?query=x&limit=0", "?query=x&limit=many", "?query=x&limit=1000000",
                            "?query=x&minScore=2", "?query=x&minScore=nan", "?query=x&minScore=-0.1"}) {
    const HttpResponse refused = bench.send("GET", "/memory/search" + std::string(wrong));
    EXPECT_EQ(refused.status, 400) << wrong;
    EXPECT_THAT(refused.body, HasSubstr(R"("code":"invalid_params")")) << wrong;
  }
  EXPECT_EQ(bench.agent.searches.size(), 2U);
}

TEST(GatewayFrontends, AMemoryIsReadByItsPath) {
  GatewayBench bench;
  EXPECT_EQ(bench.send("GET", "/memory/get?path=m1").body, R"({"id":"m1","text":"tea"})");
  const HttpResponse missing = bench.send("GET", "/memory/get?path=m2");
  EXPECT_EQ(missing.status, 404);
  EXPECT_THAT(missing.body, HasSubstr("memory not found: m2"));
  EXPECT_EQ(bench.send("GET", "/memory/get").status, 400);
}

TEST(GatewayFrontends, AMemoryIsStored) {
  GatewayBench bench;
  EXPECT_EQ(
      bench.send("POST", "/memory/store", R"({"text":"likes tea","category":"preference","importance":0.9,"source":"ui"})").body,
      R"({"id":"m1"})");
  EXPECT_EQ(bench.send("POST", "/memory/store", R"({"text":"likes tea"})").status, 200);
  ASSERT_EQ(bench.agent.items.size(), 2U);
  EXPECT_EQ(bench.agent.items[0].category, "preference");
  EXPECT_EQ(bench.agent.items[0].importance, 0.9);
  EXPECT_EQ(bench.agent.items[1].importance, std::nullopt);
  for (const char* wrong :
       {"", "{}", R"({"text":""})", R"({"text":5})", R"({"text":"x","importance":2})", R"({"text":"x","importance":"high"})"})
    EXPECT_EQ(bench.send("POST", "/memory/store", wrong).status, 400) << wrong;
  EXPECT_EQ(bench.agent.items.size(), 2U);
  EXPECT_EQ(bench.send("POST", "/memory/store", R"({"text":"x","importance":0})").status, 200);
  EXPECT_EQ(bench.agent.items.back().importance, 0.0) << "given, and not the agent's to decide";
}

TEST(GatewayFrontends, AnUnknownCategoryIsTheClientsFault) {
  GatewayBench bench;
  for (const HttpResponse& refused :
       {bench.send("POST", "/memory/store", R"({"text":"x","category":"joke"})"), bench.send("GET", "/memory/list?category=joke"),
        bench.send("GET", "/memory/search?query=x&category=joke")}) {
    EXPECT_EQ(refused.status, 400);
    EXPECT_THAT(refused.body, HasSubstr(R"("message":"$.category: expected preference, decision, fact, entity or other")"));
  }
  const std::string long_text(limits::memory_text_bytes + 1, 'x');
  EXPECT_EQ(bench.send("POST", "/memory/store", R"({"text":")" + long_text + "\"}").status, 400);
  EXPECT_TRUE(bench.agent.items.empty());
  EXPECT_TRUE(bench.agent.listings.empty());
  EXPECT_TRUE(bench.agent.searches.empty());
}

TEST(GatewayFrontends, MemoriesAreListedInPages) {
  GatewayBench bench;
  const HttpResponse page = bench.send("GET", "/memory/list?category=fact&conversation=c1&before=m9&limit=20");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.body, bench.agent.list_document);
  ASSERT_EQ(bench.agent.listings.size(), 1U);
  EXPECT_EQ(bench.agent.listings[0].category, "fact");
  EXPECT_EQ(bench.agent.listings[0].conversation, "c1");
  EXPECT_EQ(bench.agent.listings[0].before, "m9");
  EXPECT_EQ(bench.agent.listings[0].limit, 20);
  EXPECT_EQ(bench.send("GET", "/memory/list").status, 200);
  EXPECT_EQ(bench.agent.listings[1].limit, std::nullopt);
  for (const char* wrong : {"?limit=0", "?limit=all", "?limit=100000"})
    EXPECT_EQ(bench.send("GET", "/memory/list" + std::string(wrong)).status, 400) << wrong;
  EXPECT_EQ(bench.agent.listings.size(), 2U);
}

TEST(GatewayFrontends, AMemoryIsForgotten) {
  GatewayBench bench;
  EXPECT_EQ(bench.send("DELETE", "/memory/forget?path=m1").body, R"({"action":"forgotten","id":"m1"})");
  EXPECT_EQ(bench.agent.forgotten, std::vector<std::string>{"m1"});
  const HttpResponse missing = bench.send("DELETE", "/memory/forget?path=m2");
  EXPECT_EQ(missing.status, 404);
  EXPECT_THAT(missing.body, HasSubstr("memory not found: m2"));
  EXPECT_EQ(bench.send("DELETE", "/memory/forget").status, 400);
  EXPECT_EQ(bench.agent.forgotten.size(), 1U);
}

TEST(GatewayFrontends, TextOutsideJsonBecomesJson) {
  GatewayBench bench;
  bench.agent.memory_document = "no \"memories\" yet";
  EXPECT_EQ(bench.send("GET", "/memory/search?query=x").body, R"("no \"memories\" yet")");
}

// ---- embeddings ----------------------------------------------------------------------------------------------------------

TEST(GatewayFrontends, EmbeddingsComeFromTheirServiceWithItsWords) {
  GatewayBench bench;
  server::EmbedderOnWorker embedder(bench.loop);
  server::EmbedOverHttp service(bench.loop, embedder, {.listen = {.host = "127.0.0.1", .port = 0}});
  ASSERT_TRUE(service.start());
  bench.embed_url = service.url();
  const HttpResponse answer = bench.send("POST", "/v1/embeddings", R"({"input":["a","b"]})");
  EXPECT_EQ(answer.status, 200);
  const auto body = json::parse(answer.body);
  ASSERT_TRUE(body);
  EXPECT_EQ(body->find("data")->array()->size(), 2U);
  EXPECT_NE(GatewayBench::header(answer, "Parlance-Embedder"), "");
  const HttpResponse refused = bench.send("POST", "/v1/embeddings", R"({"input":[]})");
  EXPECT_EQ(refused.status, 400);
  EXPECT_THAT(refused.body, HasSubstr(R"("param":"input")"));
  EXPECT_EQ(GatewayBench::header(refused, "X-Should-Retry"), "false");
}

TEST(GatewayFrontends, EmbeddingsWithoutAServiceAreAnErrorWithAReason) {
  GatewayBench bench;
  const HttpResponse none = bench.send("POST", "/v1/embeddings", R"({"input":"a"})");
  EXPECT_EQ(none.status, 503);
  EXPECT_THAT(none.body, HasSubstr("no embedding service runs"));
  bench.embed_url = bench.url("/");  // listens, and is something else: it wants a token
  EXPECT_EQ(bench.send("POST", "/v1/embeddings", R"({"input":"a"})").status, 502);
  bench.embed_url = "http://127.0.0.1:1/";
  const HttpResponse gone = bench.send("POST", "/v1/embeddings", R"({"input":"a"})");
  EXPECT_EQ(gone.status, 503);
  EXPECT_THAT(gone.body, HasSubstr("the embedding service at http://127.0.0.1:1/: "));
}

TEST(GatewayFrontends, StatsAreCountsByName) {
  GatewayBench bench;
  EXPECT_EQ(bench.send("GET", "/storage/stats").body, R"({"status":"ok","stats":{"memories":3,"messages":12}})");
  bench.agent.down = Error{.code = Errc::deadline_exceeded, .message = "timeout waiting for agent"};
  EXPECT_EQ(bench.send("GET", "/storage/stats").status, 504);
  EXPECT_THAT(bench.send("GET", "/memory/search?query=x").body, HasSubstr("timeout waiting for agent"));
}

// ---- the page's connection -----------------------------------------------------------------------------------------------

TEST(GatewayFrontends, ThePageConnectsWithItsTokenAsASubprotocol) {
  GatewayBench bench;
  const auto page = bench.connect("/ws", page_subprotocols, {{"Origin", bench.url("")}});
  ASSERT_TRUE(page) << page.error().message;
  EXPECT_EQ((*page)->subprotocol(), "parlance.v1");
  ASSERT_TRUE((*page)->send(R"({"type":"ready"})"));
  EXPECT_THAT(bench.receive(**page), StartsWith(R"({"type":"snapshot","seq":0,"version":"1.2.3",)"));
  const std::string folder = std::filesystem::temp_directory_path().string();
  bench.hub.add_agent(std::make_unique<hub::test::ScriptedProvider>(bench.script, bench.log));
  EXPECT_THAT(bench.receive(**page), StartsWith(R"({"type":"delta","seq":1,"ops":[{"op":"agent",)"));
  ASSERT_TRUE((*page)->send(R"({"type":"new","request":"1","agent":"scripted","folder":")" + folder + "\"}"));
  const std::string first = bench.receive(**page);
  const std::string second = bench.receive(**page);
  EXPECT_THAT(first + second, HasSubstr(R"({"type":"delta","seq":2,"ops":[{"op":"conversation",)"));
  EXPECT_THAT(first + second, HasSubstr(R"({"type":"done","request":"1","value":{"conversation":)"));
}

TEST(GatewayFrontends, ThePageIsRefusedBeforeTheHandshake) {
  GatewayBench bench;
  const auto refused = [&](std::string_view path, std::vector<std::string> subprotocols, std::vector<HttpHeader> headers = {}) {
    const auto page = bench.connect(path, std::move(subprotocols), std::move(headers));
    return page ? Errc::internal : page.error().code;
  };
  EXPECT_EQ(refused("/ws", {"parlance.v1"}), Errc::denied);
  EXPECT_EQ(refused("/ws", {"parlance.v1", "token.wrong"}), Errc::denied);
  EXPECT_EQ(refused("/ws?token=t0ken", {"parlance.v1"}), Errc::denied);
  EXPECT_EQ(refused("/ws", page_subprotocols, {{"Origin", "http://evil.example"}}), Errc::denied);
  EXPECT_EQ(refused("/ws", page_subprotocols, {{"Origin", "null"}}), Errc::denied);
  EXPECT_EQ(bench.frontends.pages().statistics().pages, 0U);
}

TEST(GatewayFrontends, DrainingSendsPagesAwayAndWaitsForAnswers) {
  GatewayBench bench;
  Signal finish(bench.loop);
  bench.agent.chat_script = [&](const ChatRequest&, ChunkSink&) -> Task<Result<Completion>> {
    co_await finish.wait();
    co_return Completion{.content = "in time"};
  };
  const auto page = bench.connect("/ws", page_subprotocols);
  ASSERT_TRUE(page);
  std::string body;
  bool drained = false;
  Scope scope(bench.loop);
  const auto ask = [&]() -> Task<void> {
    const auto answer = co_await bench.client.fetch(
        bench.request("POST", "/v1/chat/completions", R"({"messages":[{"role":"user","content":"x"}]})"));
    if (answer) body = answer->body;
  };
  const auto drain = [&]() -> Task<void> {
    co_await bench.frontends.drain(bench.loop.now() + 20s);
    drained = true;
  };
  scope.start(ask());
  bench.until([&] { return bench.agent.running_chats == 1; });
  scope.start(drain());
  EXPECT_EQ(bench.receive(**page), "") << "a clean end";
  EXPECT_EQ((*page)->close_code(), 1001);
  EXPECT_FALSE(drained);
  finish.notify_all();
  bench.until([&] { return drained && !body.empty(); });
  EXPECT_THAT(body, HasSubstr("in time"));
}

}  // namespace
}  // namespace parlance::app
