// SPDX-License-Identifier: Apache-2.0
// The embedding service on a real port, with a client that is not ours (libcurl), and with our own embedder over HTTP.
#include "parlance/server/embed/embed_over_http.h"

#include <cstdlib>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/base/base64.h"
#include "parlance/codec/json/value.h"
#include "parlance/memory/limits.h"
#include "parlance/server/embed/embedder_via_http.h"
#include "parlance/server/embed/limits.h"
#include "parlance/server/embed/test_support.h"
#include "parlance/server/embed/vector_json.h"
#include "parlance/transport/http/http_client.h"

namespace parlance::server {
namespace {

using namespace std::chrono_literals;
using memory::Vector;
using test::FakeEmbedder;
using testing::HasSubstr;
using testing::SizeIs;

class EmbedOverHttpTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"}) ::unsetenv(name);
    const auto started = service.start();
    ASSERT_TRUE(started) << started.error().message;
  }
  HttpRequest request(std::string method, const std::string& path, std::string body = "",
                      std::vector<HttpHeader> headers = {}) const {
    return {.method = std::move(method),
            .url = "http://127.0.0.1:" + std::to_string(service.port()) + path,
            .headers = std::move(headers),
            .body = std::move(body),
            .total_timeout = 20s};
  }
  HttpResponse send(HttpRequest wanted) {
    auto answer = loop.block_on(client.fetch(std::move(wanted)));
    EXPECT_TRUE(answer) << answer.error().message;
    return answer.value_or(HttpResponse{});
  }
  HttpResponse post(const std::string& path, std::string body) { return send(request("POST", path, std::move(body))); }
  static json::Value parsed(const HttpResponse& answer) {
    auto value = json::parse(answer.body);
    EXPECT_TRUE(value) << answer.body;
    return value ? *std::move(value) : json::Value();
  }
  static Vector vector_in(const json::Value& value) { return read_vector(json::to_text(value)).value(); }
  Vector vector_of(const std::string& text) const { return FakeEmbedder::vector_of(text, embedder.dimension); }
  // {"error":{"message","type","param","code"}} with the status.
  void expect_error(const HttpResponse& answer, int status, std::string_view code, std::string_view words) {
    EXPECT_EQ(answer.status, status) << answer.body;
    const json::Value body = parsed(answer);
    const json::Value* error = body.find("error");
    ASSERT_NE(error, nullptr) << answer.body;
    EXPECT_EQ(error->text_or("code", ""), code);
    EXPECT_THAT(std::string(error->text_or("message", "")), HasSubstr(std::string(words)));
    EXPECT_NE(error->text_or("type", ""), "");
  }

  Loop loop;
  FakeEmbedder embedder{loop};
  EmbedOverHttp service{loop,
                        embedder,
                        {.listen = {.host = "127.0.0.1", .port = 0},
                         .http = {.body_bytes = 2 * limits::embed_request_bytes, .half_close_grace = 20ms},
                         .health_patience = 100ms,
                         .wall_clock = [] { return WallTime(1'700'000'000s); }}};
  HttpClient client{loop};
};

TEST_F(EmbedOverHttpTest, ASingleText) {
  const HttpResponse answer = post("/embed", R"({"text":"a cup of tea"})");
  ASSERT_EQ(answer.status, 200) << answer.body;
  const json::Value body = parsed(answer);
  EXPECT_EQ(vector_in(*body.find("embedding")), vector_of("a cup of tea"));
  EXPECT_EQ(body.integer_or("dim", 0), 8);
  EXPECT_EQ(body.text_or("model", ""), "fake");
  EXPECT_EQ(*find_header(answer.headers, "Content-Type"), "application/json");
  EXPECT_EQ(*find_header(answer.headers, "Parlance-Embedder"), "fake/8");
}

TEST_F(EmbedOverHttpTest, SeveralTextsInTheirOrder) {
  const HttpResponse answer = post("/embed-batch", R"({"texts":["tea","茶","tea"]})");
  ASSERT_EQ(answer.status, 200) << answer.body;
  const json::Value body = parsed(answer);
  EXPECT_EQ(body.integer_or("count", 0), 3);
  EXPECT_EQ(body.integer_or("dim", 0), 8);
  const json::Array& list = *body.find("embeddings")->array();
  ASSERT_THAT(list, SizeIs(3));
  EXPECT_EQ(vector_in(list[0]), vector_of("tea"));
  EXPECT_EQ(vector_in(list[1]), vector_of("茶"));
  EXPECT_EQ(vector_in(list[2]), vector_of("tea"));
  EXPECT_THAT(embedder.calls, SizeIs(1));
}

TEST_F(EmbedOverHttpTest, OpenAisShape) {
  const HttpResponse answer = post("/v1/embeddings", R"({"model":"text-embedding-3-small","input":["tea","milk"],"user":"ann"})");
  ASSERT_EQ(answer.status, 200) << answer.body;
  const json::Value body = parsed(answer);
  EXPECT_EQ(body.text_or("object", ""), "list");
  EXPECT_EQ(body.text_or("model", ""), "fake");
  const json::Array& list = *body.find("data")->array();
  ASSERT_THAT(list, SizeIs(2));
  EXPECT_EQ(list[1].integer_or("index", 0), 1);
  EXPECT_EQ(list[1].text_or("object", ""), "embedding");
  EXPECT_EQ(vector_in(*list[1].find("embedding")), vector_of("milk"));
  EXPECT_EQ(body.find("usage")->integer_or("prompt_tokens", 0), 2);  // seven bytes
  EXPECT_EQ(body.find("usage")->integer_or("total_tokens", 0), 2);
}

TEST_F(EmbedOverHttpTest, OpenAisFormInBase64AndOfASingleText) {
  const HttpResponse answer = post("/v1/embeddings", R"({"input":"tea","encoding_format":"base64","dimensions":8})");
  ASSERT_EQ(answer.status, 200) << answer.body;
  const json::Value body = parsed(answer);
  const json::Array& list = *body.find("data")->array();
  ASSERT_THAT(list, SizeIs(1));
  const auto bytes = from_base64(*list[0].find("embedding")->text());
  ASSERT_TRUE(bytes);
  Vector vector(bytes->size() / sizeof(float));
  std::memcpy(vector.data(), bytes->data(), bytes->size());
  EXPECT_EQ(vector, vector_of("tea"));
}

TEST_F(EmbedOverHttpTest, HealthEqualsTheDeployedServices) {
  const HttpResponse answer = send(request("GET", "/health"));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(parsed(answer), *json::parse(R"({"status":"ok","serverPort":)" + std::to_string(service.port()) +
                                         R"(,"llmServer":"built-in","model":"fake","timestamp":1700000000})"));
}

TEST_F(EmbedOverHttpTest, HealthReportsADeadBackEnd) {
  embedder.down = Error{.code = Errc::disconnected, .message = "connection refused"};
  const HttpResponse answer = send(request("GET", "/health"));
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(parsed(answer).text_or("status", ""), "degraded");
  EXPECT_EQ(parsed(answer).text_or("error", ""), "connection refused");
  expect_error(post("/embed", R"({"text":"tea"})"), 503, "disconnected", "connection refused");
}

TEST_F(EmbedOverHttpTest, InfoHasDimensionCalibrationAndLimits) {
  const json::Value body = parsed(send(request("GET", "/info")));
  EXPECT_EQ(body.text_or("id", ""), "fake/8");
  EXPECT_EQ(body.text_or("modelPath", ""), "fake");
  EXPECT_EQ(body.integer_or("dim", 0), 8);
  EXPECT_EQ(body.integer_or("serverPort", 0), service.port());
  EXPECT_EQ(body.integer_or("maxTexts", 0), 2048);
  EXPECT_THAT(*body.find("calibration")->array(), SizeIs(3));
  EXPECT_NE(body.find("endpoints")->find("/embed-batch"), nullptr);
}

TEST_F(EmbedOverHttpTest, AnEmptyTextIsReportedWithItsPlace) {
  expect_error(post("/embed", R"({"text":" \n"})"), 400, "invalid_params", "$.text: it is empty");
  expect_error(post("/embed", "{}"), 400, "invalid_params", "$.text: missing");
  expect_error(post("/embed-batch", R"({"texts":[]})"), 400, "invalid_params", "$.texts: no text is given");
  expect_error(post("/embed-batch", R"({"texts":["tea",""]})"), 400, "invalid_params", "$.texts[1]: it is empty");
  expect_error(post("/v1/embeddings", R"({"input":""})"), 400, "invalid_params", "$.input: it is empty");
  expect_error(post("/v1/embeddings", R"({"input":[]})"), 400, "invalid_params", "$.input: no text is given");
  EXPECT_THAT(embedder.calls, SizeIs(0));
}

TEST_F(EmbedOverHttpTest, AWrongTypeIsReportedWithItsPlace) {
  expect_error(post("/embed", ""), 400, "invalid_request", "the request's body is no JSON");
  expect_error(post("/embed", R"({"text":)"), 400, "invalid_request", "the request's body is no JSON");
  expect_error(post("/embed", "no JSON"), 400, "invalid_request", "the request's body is no JSON");
  expect_error(post("/embed", R"({"text":["tea"]})"), 400, "invalid_params", "$.text");
  expect_error(post("/embed", R"(["tea"])"), 400, "invalid_params", "");
  expect_error(post("/embed-batch", R"({"texts":"tea"})"), 400, "invalid_params", "$.texts");
  expect_error(post("/embed-batch", R"({"texts":["tea",7]})"), 400, "invalid_params", "$.texts[1]");
  expect_error(post("/v1/embeddings", R"({"input":{"a":1}})"), 400, "invalid_params", "$.input: expected a text or a list");
  expect_error(post("/v1/embeddings", R"({"input":[1,2,3]})"), 400, "invalid_params", "lists of tokens");
  expect_error(post("/v1/embeddings", R"({"input":[[1,2],[3]]})"), 400, "invalid_params", "lists of tokens");
  expect_error(post("/v1/embeddings", R"({"input":["tea"],"encoding_format":"int8"})"), 400, "invalid_params", "float or base64");
  expect_error(post("/v1/embeddings", R"({"input":["tea"],"dimensions":4})"), 400, "invalid_params", "$.dimensions: fake has 8");
}

TEST_F(EmbedOverHttpTest, InvalidUtf8IsRefused) {
  expect_error(post("/embed", "{\"text\":\"tea \xff\xfe\"}"), 400, "invalid_request", "UTF-8");
  expect_error(post("/embed-batch", "{\"texts\":[\"\xc3\x28\"]}"), 400, "invalid_request", "UTF-8");
  expect_error(post("/v1/embeddings", "{\"input\":\"\xed\xa0\x80\"}"), 400, "invalid_request", "UTF-8");
}

TEST_F(EmbedOverHttpTest, ATooLargeRequestIs413) {
  const std::string just_fits(limits::memory_text_bytes, 'x');
  EXPECT_EQ(post("/embed", R"({"text":")" + just_fits + "\"}").status, 200);
  expect_error(post("/embed", R"({"text":"x)" + just_fits + "\"}"), 413, "invalid_params", "32768 are the limit");
  std::string many = R"({"texts":[)";
  for (std::size_t i = 0; i <= limits::embed_texts; ++i) many += i == 0 ? "\"a\"" : ",\"a\"";
  expect_error(post("/embed-batch", many + "]}"), 413, "invalid_params", "2048 are the limit");
  expect_error(post("/v1/embeddings", R"({"input":")" + std::string(limits::embed_request_bytes, 'x') + "\"}"), 413,
               "invalid_params", "16777216 are the most");
}

TEST_F(EmbedOverHttpTest, OtherAddressesAndMethodsGetJsonErrors) {
  expect_error(post("/embeddings", "{}"), 404, "not_found", "No such address");
  expect_error(send(request("GET", "/")), 404, "not_found", "GET /info");
  const HttpResponse get = send(request("GET", "/embed"));
  expect_error(get, 405, "method_not_allowed", "other methods");
  EXPECT_EQ(*find_header(get.headers, "Allow"), "POST, OPTIONS");
  expect_error(post("/health", "{}"), 405, "method_not_allowed", "other methods");
}

TEST_F(EmbedOverHttpTest, PagesOfOtherSitesAndOtherNamesAreTurnedAway) {
  const auto with = [&](HttpHeader header) { return send(request("POST", "/embed", R"({"text":"tea"})", {std::move(header)})); };
  expect_error(with({"Origin", "https://evil.example"}), 403, "origin_not_allowed", "other sites");
  expect_error(with({"Origin", "null"}), 403, "origin_not_allowed", "other sites");
  expect_error(with({"Host", "evil.example"}), 403, "host_not_allowed", "localhost");
  EXPECT_EQ(with({"Origin", "http://127.0.0.1:" + std::to_string(service.port())}).status, 200);
  EXPECT_THAT(embedder.calls, SizeIs(1));
}

TEST_F(EmbedOverHttpTest, OnlyThisMachineIsServed) {
  for (const char* host : {"0.0.0.0", "192.0.2.1", "::"}) {
    EmbedOverHttp open(loop, embedder, {.listen = {.host = host, .port = 0}});
    const auto started = open.start();
    ASSERT_FALSE(started) << host;
    EXPECT_THAT(started.error().message, HasSubstr("asks for no token"));
  }
}

TEST_F(EmbedOverHttpTest, ConcurrentRequestsShareCalls) {
  embedder.closed = true;
  constexpr std::size_t count = 20;
  std::vector<std::optional<Result<HttpResponse>>> answers(count);
  const auto ask = [](HttpClient& from, HttpRequest wanted, std::optional<Result<HttpResponse>>& into) -> Task<void> {
    into = co_await from.fetch(std::move(wanted));
  };
  Scope scope(loop);
  for (std::size_t i = 0; i < count; ++i)
    scope.start(ask(client, request("POST", "/embed", R"({"text":"text )" + std::to_string(i) + "\"}"), answers[i]));
  const auto all_there = [&] { return service.statistics().requests == count; };
  loop.run_until(all_there);
  ASSERT_TRUE(all_there());
  embedder.open();
  loop.block_on(scope.join());
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_TRUE(answers[i] && *answers[i]);
    EXPECT_EQ(vector_in(*parsed(**answers[i]).find("embedding")), vector_of("text " + std::to_string(i)));
  }
  EXPECT_EQ(service.statistics().calls, 2U);
}

TEST_F(EmbedOverHttpTest, OurEmbedderOverHttpIsTheEmbedderItself) {
  auto via = EmbedderViaHttp::make(loop, {.url = "http://127.0.0.1:" + std::to_string(service.port())});
  ASSERT_TRUE(via);
  const auto info = loop.block_on((*via)->info());
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_EQ(*info, *loop.block_on(embedder.info()));
  std::vector<std::string> texts;
  for (int i = 0; i < 300; ++i) texts.push_back("text " + std::to_string(i) + " 茶");
  const auto vectors = loop.block_on((*via)->embed(texts));
  ASSERT_TRUE(vectors) << vectors.error().message;
  ASSERT_EQ(vectors->size(), texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ((*vectors)[i], vector_of(texts[i])) << texts[i];

  embedder.dimension = 12;
  embedder.id = "fake-2/12";
  const auto again = loop.block_on((*via)->embed({"text 0 茶", "new"}));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ((*again)[0], FakeEmbedder::vector_of("text 0 茶", 12));
  EXPECT_EQ(loop.block_on((*via)->info())->id, "fake-2/12");
}

TEST_F(EmbedOverHttpTest, AServiceInFrontOfAnotherAnswersTheSame) {
  for (const char* path : {"/v1/embeddings", "/embed", "/v1"}) {
    auto via = EmbedderViaHttp::make(loop, {.url = "http://127.0.0.1:" + std::to_string(service.port()) + path});
    ASSERT_TRUE(via);
    EmbedOverHttp front(loop, **via, {.listen = {.host = "127.0.0.1", .port = 0}, .backend = (*via)->shown_url()});
    ASSERT_TRUE(front.start());
    HttpRequest wanted = request("POST", "", R"({"texts":["tea","milk"]})");
    wanted.url = front.url() + "embed-batch";
    const HttpResponse answer = send(std::move(wanted));
    ASSERT_EQ(answer.status, 200) << path << answer.body;
    EXPECT_EQ(vector_in((*parsed(answer).find("embeddings")->array())[1]), vector_of("milk"));
    EXPECT_EQ(*find_header(answer.headers, "Parlance-Embedder"), "fake/8");
    wanted = request("GET", "");
    wanted.url = front.url() + "health";
    EXPECT_EQ(parsed(send(std::move(wanted))).text_or("llmServer", ""), (*via)->shown_url());
  }
}

}  // namespace
}  // namespace parlance::server
