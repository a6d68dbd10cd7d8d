// SPDX-License-Identifier: Apache-2.0
// `parlance embed` as a process: alone, in front of another service, and as a part of `parlance up`.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <stdexcept>

#include "parlance/codec/json/value.h"
#include "parlance/transport/http/http_server.h"
#include "tests/system/up.h"

namespace parlance::test {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class Embed : public UpTest {
 protected:
  // On a free port; its address is known once this is back.
  struct Service {
    std::unique_ptr<Program> program;
    std::string url;  // "http://127.0.0.1:PORT/"
  };
  Service start_embed(Words more = {}) {
    Words words = with_program({"embed", "--listen", "127.0.0.1:0"});
    words.insert(words.end(), more.begin(), more.end());
    Service service{.program = launch(std::move(words))};
    until([&] { return !service.program->lines.empty() || service.program->ended(); }, "the embedding service");
    if (service.program->lines.empty()) throw std::runtime_error(service.program->errors);
    const std::string& line = service.program->lines.front();
    const std::size_t from = line.find("http://");
    service.url = line.substr(from, line.find(',') - from);
    return service;
  }
  HttpResponse post(const std::string& url, std::string body) {
    auto response = send({.method = "POST",
                          .url = url,
                          .headers = {{"Content-Type", "application/json"}},
                          .body = std::move(body),
                          .total_timeout = std::chrono::duration_cast<std::chrono::milliseconds>(long_enough)});
    if (!response) throw std::runtime_error(response.error().message);
    return *std::move(response);
  }
  HttpResponse fetch(const std::string& url) {
    auto response = send({.url = url, .total_timeout = std::chrono::duration_cast<std::chrono::milliseconds>(long_enough)});
    if (!response) throw std::runtime_error(response.error().message);
    return *std::move(response);
  }
  static std::string port_of(const std::string& url) { return url.substr(url.rfind(':') + 1, url.size() - url.rfind(':') - 2); }
};

// A back end of the test: vectors (1, length of the text), and a record of its requests.
class Backend {
 public:
  explicit Backend(Loop& loop) {
    auto listening =
        HttpServer::listen(loop, {.host = "127.0.0.1", .port = 0}, [this](HttpExchange& exchange) { return answer(exchange); });
    if (!listening) throw std::runtime_error(listening.error().message);
    server_ = *std::move(listening);
  }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(server_->port()) + "/v1"; }
  bool saw(std::string_view text) const {
    return std::ranges::any_of(texts, [&](const std::string& one) { return one == text; });
  }
  std::vector<std::string> texts;
  std::string key;  // the last request's Authorization

 private:
  Task<void> answer(HttpExchange& exchange) {
    const json::Value body = parsed(exchange.request().body);
    if (const std::string* given = exchange.request().header("Authorization")) key = *given;
    std::string list;
    for (const json::Value& text : *body.find("input")->array()) {
      texts.push_back(*text.text());
      if (!list.empty()) list += ',';
      list += R"({"embedding":[1,)" + std::to_string(text.text()->size()) + "]}";
    }
    co_await exchange.respond({.body = R"({"data":[)" + list + R"(],"model":"backend"})"});
  }
  std::unique_ptr<HttpServer> server_;
};

TEST_F(Embed, AloneTheServiceUsesTheBuiltInEmbedder) {
  const Service service = start_embed();
  EXPECT_THAT(service.program->lines.front(), HasSubstr("parlance embed: ready on http://127.0.0.1:"));
  EXPECT_THAT(service.program->lines.front(), HasSubstr("built-in"));
  const json::Value one = parsed(post(service.url + "embed", R"({"text":"a cup of tea"})").body);
  EXPECT_EQ(one.integer_or("dim", 0), 384);
  EXPECT_THAT(*one.find("embedding")->array(), SizeIs(384));
  const json::Value health = parsed(fetch(service.url + "health").body);
  EXPECT_EQ(health.text_or("status", ""), "ok");
  EXPECT_EQ(std::to_string(health.integer_or("serverPort", 0)), port_of(service.url));
  service.program->child().signal_group(SIGTERM);
  EXPECT_EQ(get(service.program->child().wait()).code, 0);
}

TEST_F(Embed, ImpossibleSettingsAreReportedAtOnce) {
  const Service service = start_embed();
  const Finished taken = parlance({"embed", "--listen", "127.0.0.1:" + port_of(service.url)});
  EXPECT_EQ(taken.code, 4);
  EXPECT_THAT(taken.errors, HasSubstr("Address already in use"));
  EXPECT_THAT(taken.errors, HasSubstr("--embed-listen"));
  const Finished nowhere = parlance({"embed", "--listen", "here"});
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_THAT(nowhere.errors, HasSubstr("ADDR:PORT"));
  const Finished everywhere = parlance({"embed", "--listen", "0.0.0.0:0"});
  EXPECT_EQ(everywhere.code, 2);
  EXPECT_THAT(everywhere.errors, HasSubstr("asks for no token"));
  const Finished no_backend = parlance({"embed", "--listen", "127.0.0.1:0", "--backend", "nonsense"});
  EXPECT_EQ(no_backend.code, 2);
  EXPECT_THAT(no_backend.errors, HasSubstr("http://HOST"));
}

TEST_F(Embed, InFrontOfAnotherServiceTheVectorsAreTheSame) {
  const Service behind = start_embed();
  const Service front = start_embed({"--backend", behind.url});
  const std::string texts = R"({"texts":["a cup of tea","一杯茶","Grüße"]})";
  EXPECT_EQ(post(front.url + "embed-batch", texts).body, post(behind.url + "embed-batch", texts).body);
  EXPECT_EQ(parsed(fetch(front.url + "info").body).text_or("id", ""), "parlance-1/384");
  behind.program->child().signal_group(SIGTERM);
  static_cast<void>(get(behind.program->child().wait()));
  const HttpResponse refused = post(front.url + "embed", R"({"text":"something that was not asked for before"})");
  EXPECT_EQ(refused.status, 503);
  EXPECT_THAT(refused.body, HasSubstr("\"code\":\"disconnected\""));
}

TEST_F(Embed, TheBackendsKeyAndModelComeFromTheRightSettings) {
  Backend backend(loop);
  write_file(path("key"), "sk-from-a-file\n");
  std::filesystem::permissions(path("key"), std::filesystem::perms(0600));
  const Service service =
      start_embed({"--backend", backend.url(), "--embed-key-file", path("key"), "--embed-model", "asked-for"});
  const json::Value one = parsed(post(service.url + "embed", R"({"text":"tea"})").body);
  EXPECT_EQ(one.integer_or("dim", 0), 2);
  EXPECT_EQ(one.text_or("model", ""), "backend");
  EXPECT_EQ(backend.key, "Bearer sk-from-a-file");
}

TEST_F(Embed, UpRunsTheServiceAndRestartsAtTheSameAddress) {
  start_up();
  const std::string url = text_at(ready, {"services", "embed", "address"});
  ASSERT_THAT(url, HasSubstr("http://127.0.0.1:"));
  EXPECT_EQ(parsed(post(url + "embed", R"({"text":"tea"})").body).integer_or("dim", 0), 384);
  EXPECT_TRUE(std::ranges::any_of(
      up->lines, [&](const std::string& line) { return line.find("embed    ready   " + url) != std::string::npos; }));
  const pid_t first = service_pid("embed");
  Watched embed(first);
  ASSERT_EQ(::kill(first, SIGKILL), 0);
  ASSERT_TRUE(embed.ends_within());
  until_file(ready_file(), [&] { return parsed(read_file(ready_file())) != ready; }, "the ready file to name the new process");
  ready = parsed(read_file(ready_file()));
  EXPECT_NE(service_pid("embed"), first);
  EXPECT_EQ(text_at(ready, {"services", "embed", "address"}), url);
  EXPECT_EQ(post(url + "embed", R"({"text":"tea"})").status, 200);
}

// Of two programs without --listen, at most one has the usual port; the other takes a free port and explains the effect.
TEST_F(Embed, UpStartsThoughTheUsualPortIsTaken) {
  const auto launch_one = [&](const std::string& name) {
    std::filesystem::create_directories(path(name));
    auto one = launch(with_program({"up", "--listen", "127.0.0.1:0", "--agent-socket", path(name + "/s"), "--state",
                                    path(name + "/state"), "--ready-file", path(name + "/ready")}),
                      {{mark_name, folder()}});
    until_file(
        path(name + "/ready"), [&] { return !read_file(path(name + "/ready")).empty() || one->ended(); }, "the ready file");
    EXPECT_FALSE(one->ended()) << one->errors;
    return one;
  };
  const auto first = launch_one("one");
  const auto second = launch_one("two");
  const std::string first_url = text_at(parsed(read_file(path("one/ready"))), {"services", "embed", "address"});
  const std::string second_url = text_at(parsed(read_file(path("two/ready"))), {"services", "embed", "address"});
  EXPECT_NE(first_url, second_url);
  EXPECT_NE(port_of(second_url), "50001");
  const auto note = [](const std::string& line) {
    return line.find("127.0.0.1:50001 belongs to another program") != std::string::npos;
  };
  EXPECT_TRUE(std::ranges::any_of(second->lines, note)) << testing::PrintToString(second->lines);
  EXPECT_EQ(std::ranges::any_of(first->lines, note), port_of(first_url) != "50001");
  EXPECT_EQ(post(second_url + "embed", R"({"text":"tea"})").status, 200);
  // A port chosen by a person is different.
  const Finished third = parlance({"up", "--listen", "127.0.0.1:0", "--agent-socket", path("three"), "--state", path("state3"),
                                   "--embed-listen", "127.0.0.1:" + port_of(second_url)});
  EXPECT_EQ(third.code, 4);
  EXPECT_THAT(third.errors, HasSubstr("embed could not be started"));
}

TEST_F(Embed, TheAgentsMemoryReachesABackEndThroughTheService) {
  Backend backend(loop);
  start_up({"--embed-backend", backend.url()});
  until_observed([&] { return agent_state() == "ready"; }, "the agent");
  const HttpResponse stored = answer("POST", "memory/store", R"({"text":"Ann drinks green tea"})");
  EXPECT_EQ(stored.status, 200) << stored.body;
  until([&] { return backend.saw("Ann drinks green tea"); }, "the text to arrive at the back end");
  const HttpResponse found = answer("GET", "memory/search?query=green%20tea");
  EXPECT_THAT(found.body, HasSubstr("Ann drinks green tea"));
}

TEST_F(Embed, DoctorChecksTheServiceAndItsBackEnd) {
  const Service service = start_embed();
  const auto doctor = [&](const std::string& port, Words more = {}) {
    Words words{"doctor",   "--state",     path("state"),    "--agent-socket",   path("a.sock"),
                "--listen", "127.0.0.1:9", "--embed-listen", "127.0.0.1:" + port};
    words.insert(words.end(), more.begin(), more.end());
    return parlance(std::move(words));
  };
  const Finished fine = doctor(port_of(service.url), {"--embed-url", service.url});
  EXPECT_EQ(fine.code, 0) << fine.out;
  EXPECT_THAT(fine.out, HasSubstr("parlance-1, dimension 384"));
  EXPECT_THAT(fine.out, HasSubstr("embeds: parlance-1/384"));
  EXPECT_THAT(doctor("9").out, HasSubstr("the service does not run"));
  start_up();
  const Finished other = doctor(port_of(base));
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.out, HasSubstr("is used by another program"));
}

}  // namespace
}  // namespace parlance::test
