// SPDX-License-Identifier: Apache-2.0
// The gateway over real sockets, with an independent client (libcurl).
#include "parlance/gateway/gateway.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/transport/byte_stream.h"
#include "parlance/transport/http/http_client.h"
#include "parlance/transport/tcp_connect.h"

namespace parlance::gateway {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class GatewayTest : public testing::Test {
 protected:
  GatewayTest() : gateway_(loop_, {.listen = {.host = "127.0.0.1", .port = 0}, .auth = {.token = "t0ken"}}), client_(loop_) {
    gateway_.routes().on({"GET", "/echo", Access::token, hub::Permission::enter}, [](HttpExchange& exchange) -> Task<void> {
      co_await exchange.respond({.headers = {{.name = "Content-Type", .value = "text/plain"}}, .body = "hello"});
    });
    gateway_.routes().on({"POST", "/change", Access::token, hub::Permission::enter},
                         [this](HttpExchange& exchange) -> Task<void> {
                           ++changes_;
                           co_await exchange.respond({.status = 204});
                         });
    gateway_.routes().on({"GET", "/ws", Access::socket, hub::Permission::enter, true},
                         [](HttpExchange& exchange) -> Task<void> { co_await exchange.upgrade("parlance.v1"); });
  }
  void SetUp() override {
    const auto started = gateway_.start();
    ASSERT_TRUE(started) << started.error().message;
  }
  HttpResponse send(std::string method, std::string path, std::vector<HttpHeader> headers = {}, std::string body = "") {
    HttpRequest request{.method = std::move(method),
                        .url = "http://127.0.0.1:" + std::to_string(gateway_.port()) + path,
                        .headers = std::move(headers),
                        .body = std::move(body),
                        .total_timeout = 10s};
    auto answer = loop_.block_on(client_.fetch(std::move(request)));
    EXPECT_TRUE(answer) << answer.error().message;
    return answer ? *answer : HttpResponse{};
  }
  static std::string header(const HttpResponse& answer, std::string_view name) {
    const std::string* value = find_header(answer.headers, name);
    return value != nullptr ? *value : "(none)";
  }

  const HttpHeader token_{.name = "Authorization", .value = "Bearer t0ken"};
  int changes_ = 0;
  Loop loop_;
  Gateway gateway_;
  HttpClient client_;
};

TEST_F(GatewayTest, AnswersClientsWithTheToken) {
  const HttpResponse answer = send("GET", "/echo", {token_});
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "hello");
}

TEST_F(GatewayTest, RefusesClientsWithoutTheToken) {
  const HttpResponse missing = send("GET", "/echo");
  EXPECT_EQ(missing.status, 401);
  EXPECT_EQ(header(missing, "WWW-Authenticate"), "Bearer realm=parlance");
  EXPECT_THAT(missing.body, HasSubstr(R"("code":"token_missing")"));
  EXPECT_THAT(send("GET", "/echo", {{"Authorization", "Bearer x"}}).body, HasSubstr(R"("code":"token_wrong")"));
  EXPECT_EQ(send("GET", "/echo?token=t0ken").status, 401);
}

// 30 MB sent byte by byte: the answer and the end of the connection come before the second byte.
TEST_F(GatewayTest, ChecksTokenHostAndOriginBeforeReadingABody) {
  const auto slowly = [this](const std::string& headers) {
    const auto response_to = [](Loop& loop, unsigned short port, std::string head) -> Task<std::string> {
      auto stream = co_await tcp_connect(loop, "127.0.0.1", port);
      EXPECT_TRUE(stream && co_await write_all(**stream, head));
      std::string all;
      std::string buffer(4096, '\0');
      for (;;) {
        const auto count = co_await read_some(**stream, buffer);
        if (!count || *count == 0) co_return all;
        all.append(buffer, 0, *count);
      }
    };
    const TimePoint began = Clock::now();
    const std::string answer = loop_.block_on(
        response_to(loop_, gateway_.port(), "POST /change HTTP/1.1\r\n" + headers + "Content-Length: 30000000\r\n\r\n{"));
    EXPECT_LT(Clock::now() - began, 1500ms) << "the connection was closed by a timer";
    return answer;
  };
  const std::string host = "Host: localhost\r\n";
  EXPECT_THAT(slowly(host + "Authorization: Bearer x\r\n"), HasSubstr(R"("code":"token_wrong")"));
  EXPECT_THAT(slowly(host), HasSubstr(R"("code":"token_missing")"));
  EXPECT_THAT(slowly("Host: evil.example\r\nAuthorization: Bearer t0ken\r\n"), HasSubstr(R"("code":"host_not_allowed")"));
  EXPECT_THAT(slowly(host + "Authorization: Bearer t0ken\r\nOrigin: http://evil.example\r\n"),
              HasSubstr(R"("code":"origin_not_allowed")"));
  EXPECT_EQ(changes_, 0);
}

TEST_F(GatewayTest, AForeignNameOrSiteGetsNothing) {
  const HttpResponse host = send("GET", "/echo", {token_, {"Host", "evil.example"}});
  EXPECT_EQ(host.status, 403);
  EXPECT_THAT(host.body, HasSubstr(R"("code":"host_not_allowed")"));
  const HttpResponse origin = send("GET", "/echo", {token_, {"Origin", "http://evil.example"}});
  EXPECT_EQ(origin.status, 403);
  EXPECT_THAT(origin.body, HasSubstr(R"("code":"origin_not_allowed")"));
  EXPECT_EQ(header(origin, "Access-Control-Allow-Origin"), "(none)");
  EXPECT_EQ(send("GET", "/", {{"Host", "evil.example"}}).status, 403);
}

// Requests that a foreign page can cause in a browser: a form with cookies and addresses.
TEST_F(GatewayTest, NoForeignPageCanChangeAnything) {
  EXPECT_EQ(send("POST", "/change?token=t0ken",
                 {{"Cookie", "token=t0ken"}, {"Content-Type", "application/x-www-form-urlencoded"}}, "a=b")
                .status,
            401);
  EXPECT_EQ(send("POST", "/change", {token_, {"Origin", "null"}}, "a=b").status, 403);
  EXPECT_EQ(changes_, 0);
  EXPECT_EQ(send("POST", "/change", {token_}, "a=b").status, 204);
  EXPECT_EQ(changes_, 1);
}

TEST_F(GatewayTest, APageThatPresentedTheTokenIsRecognisedTheNextTime) {
  const HttpHeader page{.name = "X-Parlance-Page", .value = "1"};
  const HttpResponse stranger = send("POST", "/session", {page});
  EXPECT_EQ(stranger.status, 200);
  EXPECT_EQ(stranger.body, R"({"signed_in":false})");
  EXPECT_EQ(header(stranger, "Set-Cookie"), "(none)");
  EXPECT_EQ(send("POST", "/session", {{.name = "Authorization", .value = "Bearer wrong"}}).status, 401);

  const std::string set = header(send("POST", "/session", {token_}), "Set-Cookie");
  ASSERT_THAT(set, HasSubstr("HttpOnly; SameSite=Strict"));
  const HttpHeader cookie{.name = "Cookie", .value = set.substr(0, set.find(';'))};
  EXPECT_EQ(send("GET", "/echo", {cookie, page}).body, "hello");
  EXPECT_EQ(send("GET", "/echo", {cookie}).status, 401) << "not of our page";
  EXPECT_EQ(send("POST", "/change", {cookie, {.name = "Origin", .value = "http://127.0.0.1:1"}}).status, 403);
  EXPECT_EQ(send("POST", "/session", {cookie, page}).body, R"({"signed_in":true})");
  EXPECT_THAT(header(send("DELETE", "/session", {cookie, page}), "Set-Cookie"), HasSubstr("Max-Age=0"));
  EXPECT_EQ(changes_, 0);
}

TEST_F(GatewayTest, ListsTheOtherMethodsOfAnAddress) {
  const HttpResponse wrong = send("DELETE", "/echo", {token_});
  EXPECT_EQ(wrong.status, 405);
  EXPECT_EQ(header(wrong, "Allow"), "GET, HEAD, OPTIONS");
  EXPECT_EQ(send("OPTIONS", "/change").status, 204);
  EXPECT_EQ(send("GET", "/nowhere", {token_}).status, 404);
  const HttpResponse head = send("HEAD", "/echo", {token_});
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.body, "");
  EXPECT_EQ(header(head, "Content-Length"), "5");
}

TEST_F(GatewayTest, ASocketAddressWantsAHandshake) {
  EXPECT_EQ(send("GET", "/ws", {token_}).status, 426);
  EXPECT_EQ(send("GET", "/ws").status, 401);
}

TEST_F(GatewayTest, BrowsersReceiveTheSecurityHeaders) {
  const HttpResponse page = send("GET", "/");
  EXPECT_EQ(page.status, 200);
  const std::string here = "127.0.0.1:" + std::to_string(gateway_.port());
  const std::string policy = header(page, "Content-Security-Policy");
  for (const std::string& part :
       {std::string("default-src 'none'"), std::string("script-src 'self';"), std::string("style-src 'self';"),
        std::string("img-src 'self' data: blob:;"), std::string("manifest-src 'self';"), std::string("frame-ancestors 'none'"),
        "connect-src 'self' ws://" + here + " wss://" + here + ";"})
    EXPECT_THAT(policy, HasSubstr(part));
  EXPECT_THAT(policy, testing::Not(HasSubstr("unsafe")));
  for (const HttpResponse& answer : {page, send("GET", "/echo", {token_}), send("GET", "/nowhere")}) {
    EXPECT_EQ(header(answer, "X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(header(answer, "Referrer-Policy"), "no-referrer");
    EXPECT_EQ(header(answer, "X-Frame-Options"), "DENY");
    EXPECT_THAT(header(answer, "Content-Security-Policy"), HasSubstr("default-src 'none'"));
  }
  EXPECT_EQ(header(send("GET", "/echo", {token_}), "Cache-Control"), "no-store");
}

TEST_F(GatewayTest, TheServiceWorkerLiesBesideThePage) {
  if (!StaticPage().is_built()) GTEST_SKIP() << "built without a page";
  const HttpResponse worker = send("GET", "/sw.js?lang=en");
  EXPECT_EQ(worker.status, 200);
  EXPECT_THAT(header(worker, "Content-Type"), HasSubstr("javascript"));
}

TEST_F(GatewayTest, ThePageNamesItsManifest) {
  if (!StaticPage().is_built()) GTEST_SKIP() << "built without a page";
  const std::string page = send("GET", "/").body;
  const std::string before = R"(rel="manifest" href=".)";
  ASSERT_THAT(page, HasSubstr(before));
  const std::size_t begin = page.find(before) + before.size();
  const HttpResponse manifest = send("GET", page.substr(begin, page.find('"', begin) - begin));
  EXPECT_EQ(manifest.status, 200);
  EXPECT_EQ(header(manifest, "Content-Type"), "application/manifest+json");
  EXPECT_THAT(manifest.body, HasSubstr(R"("display":"standalone")"));
}

TEST_F(GatewayTest, CountsItsAnswers) {
  send("GET", "/echo", {token_});
  send("GET", "/echo", {token_});
  send("GET", "/echo");
  send("GET", "/made-up-by-the-client");
  const HttpResponse metrics = send("GET", "/metrics", {token_});
  EXPECT_EQ(metrics.status, 200);
  EXPECT_THAT(header(metrics, "Content-Type"), HasSubstr("version=0.0.4"));
  EXPECT_THAT(metrics.body, HasSubstr("# TYPE parlance_http_requests_total counter\n"));
  EXPECT_THAT(metrics.body, HasSubstr("parlance_http_requests_total{route=\"/echo\",code=\"200\"} 2\n"));
  EXPECT_THAT(metrics.body, HasSubstr("parlance_http_requests_total{route=\"/echo\",code=\"401\"} 1\n"));
  EXPECT_THAT(metrics.body, HasSubstr("parlance_http_requests_total{route=\"none\",code=\"404\"} 1\n"));
  EXPECT_THAT(metrics.body, HasSubstr("parlance_http_refused_total{why=\"no_token\"} 1\n"));
  EXPECT_THAT(metrics.body, testing::Not(HasSubstr("made-up")));
  EXPECT_THAT(metrics.body, testing::ContainsRegex("process_resident_memory_bytes [0-9]+"));
  EXPECT_EQ(send("GET", "/metrics").status, 401);
}

TEST_F(GatewayTest, KnowsItsAddresses) {
  const std::string here = "127.0.0.1:" + std::to_string(gateway_.port());
  EXPECT_EQ(gateway_.address(), here);
  EXPECT_EQ(gateway_.url(), "http://" + here + "/");
  EXPECT_EQ(gateway_.page_url(), "http://" + here + "/#token=t0ken");
}

TEST(Gateway, BehindAProxyPeopleHaveAnotherAddress) {
  Loop loop;
  Gateway gateway(loop, {.listen = {.host = "127.0.0.1", .port = 0},
                         .auth = {.token = "t0ken", .hosts = {"parlance.example"}},
                         .behind_proxy = true});
  ASSERT_TRUE(gateway.start());
  EXPECT_EQ(gateway.url(), "http://127.0.0.1:" + std::to_string(gateway.port()) + "/");
  EXPECT_EQ(gateway.page_url(), "https://parlance.example/#token=t0ken");
}

// Load balancers ask by the address, under no name.
TEST_F(GatewayTest, AProbeIsAnsweredUnderAnyName) {
  gateway_.routes().on({"GET", "/probe", Access::probe, hub::Permission::open},
                       [](HttpExchange& exchange) -> Task<void> { co_await exchange.respond({.status = 204}); });
  EXPECT_EQ(send("GET", "/probe", {{"Host", "10.1.2.3:55003"}}).status, 204);
  EXPECT_EQ(send("GET", "/", {{"Host", "10.1.2.3:55003"}}).status, 403);
}

TEST_F(GatewayTest, ATakenPortIsAnError) {
  Gateway second(loop_, {.listen = {.host = "127.0.0.1", .port = gateway_.port()}, .auth = {.token = "x"}});
  EXPECT_FALSE(second.start());
}

TEST(Gateway, IsNotOpenToOthersWithoutAToken) {
  Loop loop;
  Gateway open(loop, {.listen = {.host = "0.0.0.0", .port = 0}});
  const auto started = open.start();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, Errc::invalid_params);
}

TEST(Gateway, IsClosedToOtherMachinesWithoutANamedProxy) {
  Loop loop;
  const GatewaySettings bare{.listen = {.host = "0.0.0.0", .port = 0}, .auth = {.token = "s3cret-token"}};
  const auto plain = Gateway(loop, bare).start();
  ASSERT_FALSE(plain);
  EXPECT_NE(plain.error().message.find("--behind-proxy"), std::string::npos);
  GatewaySettings proxied = bare;
  proxied.behind_proxy = true;
  const auto nameless = Gateway(loop, proxied).start();
  ASSERT_FALSE(nameless);
  EXPECT_NE(nameless.error().message.find("--allow-host"), std::string::npos);
  proxied.auth.hosts = {"parlance.example"};
  EXPECT_TRUE(Gateway(loop, proxied).start());
}

// A gateway without a token does not accept an empty token.
TEST(Gateway, WithoutATokenEveryRequestIsRefused) {
  Loop loop;
  HttpClient client(loop);
  Gateway gateway(loop, {.listen = {.host = "127.0.0.1", .port = 0}});
  bool asked = false;
  gateway.routes().on({"GET", "/echo", Access::socket_or_query, hub::Permission::enter},
                      [&](HttpExchange& exchange) -> Task<void> {
                        asked = true;
                        co_await exchange.respond({.status = 204});
                      });
  ASSERT_TRUE(gateway.start());
  const auto status = [&](const std::string& path, std::vector<HttpHeader> headers) {
    const auto answer = loop.block_on(client.fetch({.url = gateway.url() + path, .headers = std::move(headers)}));
    return answer ? answer->status : 0;
  };
  EXPECT_EQ(status("echo", {}), 401);
  EXPECT_EQ(status("echo?token=", {}), 401);
  for (const std::string& given :
       {std::string("Bearer "), std::string("Bearer"), std::string("Bearer  "), std::string("Bearer x")})
    EXPECT_EQ(status("echo", {{"Authorization", given}}), 401) << given;
  EXPECT_EQ(status("echo", {{"X-OCG-UI-Token", " "}}), 401);
  EXPECT_EQ(status("echo", {{"Sec-WebSocket-Protocol", "token."}}), 401);
  EXPECT_FALSE(asked);
  EXPECT_EQ(gateway.page_url(), gateway.url());
}

TEST_F(GatewayTest, DrainsAndThenRefusesAll) {
  send("GET", "/echo", {token_});
  loop_.block_on(gateway_.drain(loop_.now() + 1s));
  EXPECT_EQ(gateway_.connections(), 0U);
  const auto refused = loop_.block_on(client_.fetch({.url = gateway_.url(), .total_timeout = 5s}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::disconnected);
}

TEST(Metrics, WritesThePrometheusFormat) {
  MetricsText out;
  out.counter("a_total", "Things.", 3, {{"kind", "x\"y\\z\n"}});
  out.counter("a_total", "Things.", 1.5, {{"kind", "b"}, {"other", "c"}});
  out.gauge("b", "Now.", 0);
  EXPECT_EQ(
      out.take(),
      "# HELP a_total Things.\n# TYPE a_total counter\na_total{kind=\"x\\\"y\\\\z\\n\"} 3\na_total{kind=\"b\",other=\"c\"} 1.5\n"
      "# HELP b Now.\n# TYPE b gauge\nb 0\n");
}

}  // namespace
}  // namespace parlance::gateway
