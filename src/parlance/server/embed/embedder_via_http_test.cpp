// SPDX-License-Identifier: Apache-2.0
// The client of embedding services against a service in memory with the test's behaviour.
#include "parlance/server/embed/embedder_via_http.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/codec/json/value.h"
#include "parlance/memory/calibrate.h"
#include "parlance/protocol/openai/embeddings.h"
#include "parlance/protocol/openai/limits.h"
#include "parlance/server/embed/limits.h"
#include "parlance/server/embed/vector_json.h"

namespace parlance::server {
namespace {

using namespace std::chrono_literals;
using memory::Vector;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

// Embeds a text as (its length, 1), not normalized, whatever the style of the request.
class FakeService final : public model::Http {
 public:
  explicit FakeService(Loop& loop) : loop_(loop) {}

  Task<Result<HttpResponse>> stream(HttpRequest request, std::function<Result<void>(BytesView)> on_body) override {
    const std::string path = request.url.substr(request.url.find('/', 8));
    paths.push_back(path);
    last = request;
    ++running;
    most_running = std::max(most_running, running);
    struct Leaving {
      int& count;
      ~Leaving() { --count; }
    } const leaving{running};
    if (slow != 0ms) co_await sleep_for(loop_, slow);
    if (!failures.empty()) {
      const HttpResponse failure = failures.front();
      failures.erase(failures.begin());
      if (failure.status == 0) co_return fail(Errc::disconnected, "connection refused");
      co_return failure;
    }
    if (path == "/info" && !info.empty()) {
      PARLANCE_CO_TRY_DO(on_body(info));
      co_return HttpResponse{.status = 200};
    }
    const auto body = json::parse(request.body);
    if (!body || !serves(path)) co_return HttpResponse{.status = 404, .body = "404 page not found"};
    std::vector<std::string> texts;
    const bool many = body->find("input") != nullptr || body->find("texts") != nullptr;
    if (many)
      for (const json::Value& text : *body->find(path.ends_with("embeddings") ? "input" : "texts")->array())
        texts.push_back(*text.text());
    else texts.push_back(*body->find(path == "/embed" ? "text" : "content")->text());
    sizes.push_back(texts.size());
    if (refuse)
      if (auto refused = refuse(texts)) co_return *refused;
    for (const std::string& text : texts) embedded.push_back(text);
    PARLANCE_CO_TRY_DO(on_body(answer(path, texts)));
    HttpResponse response{.status = 200};
    if (!id.empty()) response.headers.push_back({.name = embed::id_header, .value = id});
    co_return response;
  }

  std::vector<std::string> served{"/v1/embeddings"};
  std::string model = "m";
  std::string id{};    // in our own service's form
  std::string info{};  // the answer to /info
  std::size_t dimension = 2;
  std::chrono::milliseconds slow{0};
  std::vector<HttpResponse> failures{};  // the next answers; status 0: no connection
  std::function<std::optional<HttpResponse>(const std::vector<std::string>&)> refuse{};

  std::vector<std::string> paths{};
  std::vector<std::string> embedded{};
  std::vector<std::size_t> sizes{};
  HttpRequest last{};
  int running = 0;
  int most_running = 0;

 private:
  bool serves(const std::string& path) const { return std::ranges::find(served, path) != served.end(); }
  std::string vector(const std::string& text) const {
    Vector numbers(dimension, 1.0F);
    numbers[0] = static_cast<float>(text.size());
    std::string out;
    write_vector(out, numbers);
    return out;
  }
  std::string answer(const std::string& path, const std::vector<std::string>& texts) const {
    if (path == "/embed") return R"({"embedding":)" + vector(texts.front()) + R"(,"model":")" + model + "\"}";
    if (path == "/embedding") return R"([{"index":0,"embedding":[)" + vector(texts.front()) + "]}]";
    std::string list;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (i != 0) list += ',';
      list += path == "/embed-batch" ? vector(texts[i])
                                     : R"({"index":)" + std::to_string(i) + R"(,"embedding":)" + vector(texts[i]) + "}";
    }
    return path == "/embed-batch" ? R"({"embeddings":[)" + list + "]}" : R"({"data":[)" + list + R"(],"model":")" + model + "\"}";
  }
  Loop& loop_;
};

class EmbedderViaHttpTest : public testing::Test {
 protected:
  EmbedderViaHttp& embedder() {
    if (!embedder_) {
      auto http = std::make_unique<FakeService>(loop);
      http->served = served;
      service_ = http.get();
      auto made = EmbedderViaHttp::make(loop, settings, std::move(http));
      PARLANCE_CHECK(made, "settings that are right");
      embedder_ = *std::move(made);
      embedder_->set_random([] { return 1.0; });
    }
    return *embedder_;
  }
  FakeService& service() {
    embedder();
    return *service_;
  }
  // The virtual clock advances itself while a wait is pending.
  template <class T>
  T get(Task<T> task) {
    std::optional<T> result;
    const auto run = [](Task<T> inner, std::optional<T>& into) -> Task<void> { into = co_await std::move(inner); };
    Scope scope(loop);
    scope.start(run(std::move(task), result));
    for (int i = 0; i < 10'000 && !result; ++i) {
      loop.run_ready();
      if (!result) loop.advance(10ms);
    }
    PARLANCE_CHECK(result, "an end within 100 s");
    return *std::move(result);
  }
  Result<std::vector<Vector>> embed(std::vector<std::string> texts) { return get(embedder().embed(std::move(texts))); }
  static std::vector<std::string> many(int count) {
    std::vector<std::string> texts;
    for (int i = 0; i < count; ++i) texts.push_back(std::string(static_cast<std::size_t>(i + 1), 'x'));
    return texts;
  }
  static Vector vector_of(const std::string& text, std::size_t dimension = 2) {
    Vector vector(dimension, 1.0F);
    vector[0] = static_cast<float>(text.size());
    normalize(vector);
    return vector;
  }
  void expect_embedded(const std::vector<std::string>& texts) {
    const auto vectors = embed(texts);
    ASSERT_TRUE(vectors) << vectors.error().message;
    ASSERT_EQ(vectors->size(), texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ((*vectors)[i], vector_of(texts[i], service().dimension)) << i;
  }
  memory::EmbedderInfo info() {
    const auto result = get(embedder().info());
    EXPECT_TRUE(result) << result.error().message;
    return result.value_or(memory::EmbedderInfo{});
  }

  Loop loop{Loop::Time::virtual_};
  EmbedBackendSettings settings{.url = "http://127.0.0.1:8080"};
  std::vector<std::string> served{"/v1/embeddings"};

 private:
  FakeService* service_ = nullptr;
  std::unique_ptr<EmbedderViaHttp> embedder_;
};

TEST_F(EmbedderViaHttpTest, OpenAiStyleInBatchesOfLengthOne) {
  expect_embedded(many(100));
  EXPECT_EQ(info().id, "http:m/2");
  EXPECT_EQ(info().dimension, 2U);
  EXPECT_THAT(service().paths, Each("/v1/embeddings"));
  for (const std::size_t size : service().sizes) EXPECT_LE(size, limits::embed_backend_texts);
  EXPECT_EQ(service().last.method, "POST");
  EXPECT_FALSE(service().last.follow_redirects);
}

TEST_F(EmbedderViaHttpTest, TheDeployedServiceIsFoundBehindABareAddress) {
  served = {"/embed", "/embed-batch"};
  expect_embedded(many(3));
  EXPECT_EQ(info().id, "http:m/2");
  EXPECT_EQ(service().paths[0], "/v1/embeddings");
  EXPECT_EQ(service().paths[1], "/embed");
  EXPECT_EQ(service().paths.back(), "/embed-batch");
}

TEST_F(EmbedderViaHttpTest, AServiceWithoutBatchesGetsSingleTexts) {
  served = {"/embed"};
  expect_embedded(many(5));
  EXPECT_EQ(std::ranges::count(service().paths, "/embed-batch"), 1);
  EXPECT_GE(service().most_running, 1);
}

TEST_F(EmbedderViaHttpTest, LlamasOwnStyle) {
  served = {"/embedding"};
  settings.model = "nomic";  // llama.cpp does not report the model
  expect_embedded(many(9));
  EXPECT_EQ(info().id, "http:nomic/2");
  EXPECT_THAT(service().sizes, Each(1U));
}

TEST_F(EmbedderViaHttpTest, RequestsRunBesideEachOtherButNotTooMany) {
  served = {"/embedding"};
  service().slow = 100ms;
  expect_embedded(many(20));
  EXPECT_EQ(service().most_running, static_cast<int>(limits::embed_backend_requests));
}

TEST_F(EmbedderViaHttpTest, EmbeddedTextsAreNotRequestedAgain) {
  expect_embedded({"tea", "milk"});
  const auto before = embedder().requests();
  expect_embedded({"milk", "tea", "milk"});
  EXPECT_EQ(embedder().requests(), before);
  expect_embedded({"milk", "sugar"});
  EXPECT_EQ(embedder().requests(), before + 1);
  EXPECT_EQ(service().embedded.back(), "sugar");
}

TEST_F(EmbedderViaHttpTest, TemporaryTroubleIsAwaited) {
  info();
  service().failures = {{.status = 503}, {.status = 0}, {.status = 429}};
  const TimePoint before = loop.now();
  expect_embedded({"tea"});
  EXPECT_GE(loop.now() - before, 250ms + 500ms + 1'000ms);
}

TEST_F(EmbedderViaHttpTest, RetryAfterIsHeeded) {
  info();
  service().failures = {{.status = 429, .headers = {{.name = "Retry-After", .value = "7"}}}};
  const TimePoint before = loop.now();
  expect_embedded({"tea"});
  EXPECT_GE(loop.now() - before, 7s);
  service().failures = {{.status = 429, .headers = {{.name = "Retry-After", .value = "3600"}}}};
  const auto vectors = embed({"milk"});
  ASSERT_FALSE(vectors);
  EXPECT_EQ(vectors.error().code, Errc::overloaded);
  EXPECT_THAT(vectors.error().message, HasSubstr("requested pause: 3600 s"));
}

TEST_F(EmbedderViaHttpTest, PersistentTroubleIsReported) {
  info();
  service().failures.assign(10, {.status = 0});
  const auto vectors = embed({"tea"});
  ASSERT_FALSE(vectors);
  EXPECT_EQ(vectors.error().code, Errc::disconnected);
  EXPECT_THAT(vectors.error().message, HasSubstr("http://127.0.0.1:8080"));
  EXPECT_THAT(vectors.error().message, HasSubstr("tried 4 times"));
}

TEST_F(EmbedderViaHttpTest, ASilentServiceIsLeftAtTheDeadline) {
  info();
  service().slow = 10h;
  const TimePoint before = loop.now();
  const auto vectors = embed({"tea"});
  ASSERT_FALSE(vectors);
  EXPECT_EQ(vectors.error().code, Errc::deadline_exceeded);
  EXPECT_LE(loop.now() - before, limits::embed_total + 1s);
  EXPECT_EQ(service().running, 0);
}

TEST_F(EmbedderViaHttpTest, AChangedDimensionChangesTheInfo) {
  expect_embedded({"tea"});
  EXPECT_EQ(info().id, "http:m/2");
  service().dimension = 3;
  expect_embedded({"tea", "milk"});  // also known texts: vectors of two models never come in one answer
  EXPECT_EQ(info().id, "http:m/3");
  EXPECT_EQ(info().dimension, 3U);
}

TEST_F(EmbedderViaHttpTest, AnotherModelOfTheSameDimensionIsNoticed) {
  expect_embedded({"tea"});
  service().model = "other";
  const std::size_t before = service().embedded.size();
  expect_embedded({"milk", "tea"});
  EXPECT_EQ(info().id, "http:other/2");
  EXPECT_GT(service().embedded.size(), before + 2);
}

TEST_F(EmbedderViaHttpTest, OurOwnServiceReportsIdAndCalibration) {
  service().id = "parlance-1/2";
  service().info =
      R"({"id":"parlance-1/2","model":"parlance-1","modelPath":"","serverPort":1,"llmServer":"built-in","dim":2,"maxTexts":1,)"
      R"("maxTextBytes":1,"calibration":[{"cosine":0.25,"score":0.7},{"cosine":1,"score":1}],"endpoints":{}})";
  const memory::EmbedderInfo reported = info();
  EXPECT_EQ(reported.id, "parlance-1/2");
  ASSERT_THAT(reported.calibration.knots, SizeIs(2));
  EXPECT_EQ(reported.calibration.knots[0].cosine, 0.25);
  EXPECT_EQ(service().last.url, "http://127.0.0.1:8080/info");
}

TEST_F(EmbedderViaHttpTest, AStrangersCalibrationIsFoundBySentencesOfOurs) {
  const memory::EmbedderInfo reported = info();
  // Cosines of (length, 1) have no meaning: only the same text may score.
  EXPECT_LT(reported.calibration.score(0.99), 0.7);
  EXPECT_EQ(reported.calibration.score(1), 1);
  EXPECT_THAT(service().embedded, testing::IsSupersetOf(memory::calibration_texts()));
}

TEST_F(EmbedderViaHttpTest, TooManyAtOnceAreSentInSmallerRequests) {
  service().refuse = [](const std::vector<std::string>& texts) -> std::optional<HttpResponse> {
    if (texts.size() <= 3) return std::nullopt;
    return HttpResponse{.status = 422, .body = R"({"error":"batch size > maximum allowed batch size 3"})"};
  };
  expect_embedded(many(17));
}

TEST_F(EmbedderViaHttpTest, ATextTooLongForTheModelIsEmbeddedByItsBeginning) {
  service().refuse = [](const std::vector<std::string>& texts) -> std::optional<HttpResponse> {
    for (const std::string& text : texts)
      if (text.size() > 1'000)
        return HttpResponse{
            .status = 500,
            .body = R"({"error":{"code":500,"message":"input is too large to process. increase the batch size"}})"};
    return std::nullopt;
  };
  std::string text;
  while (text.size() < 4'000) text += "茶水";
  const auto vectors = embed({"short", text});
  ASSERT_TRUE(vectors) << vectors.error().message;
  EXPECT_EQ((*vectors)[0], vector_of("short"));
  EXPECT_THAT(service().embedded.back(), SizeIs(testing::Le(1'000U)));
  EXPECT_TRUE(text.starts_with(service().embedded.back()));
  EXPECT_EQ(service().embedded.back().size() % 3, 0U);  // no character is cut
}

TEST_F(EmbedderViaHttpTest, ARefusalIsNotRepeated) {
  info();
  const auto before = embedder().requests();
  service().failures = {{.status = 400, .body = R"({"error":{"message":"no such model"}})"}};
  const auto vectors = embed({"tea"});
  ASSERT_FALSE(vectors);
  EXPECT_EQ(embedder().requests(), before + 1);
  EXPECT_THAT(vectors.error().message, HasSubstr("no such model"));
}

TEST_F(EmbedderViaHttpTest, AServiceWithoutEmbeddingsIsReportedWithItsFirstAnswer) {
  served = {};
  const auto result = get(embedder().info());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::not_found);
  EXPECT_THAT(result.error().message, HasSubstr("http://127.0.0.1:8080 does not embed"));
  EXPECT_THAT(service().paths, ElementsAre("/v1/embeddings", "/embed", "/embedding"));
}

TEST_F(EmbedderViaHttpTest, TheKeyIsSentAndNeverShown) {
  settings.key = {.text = "sk-very-secret", .origin = "PARLANCE_EMBED_API_KEY"};
  info();
  EXPECT_THAT(service().last.headers, testing::Contains(testing::Field(&HttpHeader::value, "Bearer sk-very-secret")));
  service().failures = {{.status = 401, .body = R"({"error":{"message":"bad key sk-very-secret"}})"}};
  const auto vectors = embed({"tea"});
  ASSERT_FALSE(vectors);
  EXPECT_EQ(vectors.error().code, Errc::denied);
  EXPECT_THAT(vectors.error().message, HasSubstr("PARLANCE_EMBED_API_KEY"));
  EXPECT_THAT(vectors.error().message, Not(HasSubstr("very-secret")));
}

TEST_F(EmbedderViaHttpTest, ConcurrentRequestsLearnOnce) {
  service().slow = 50ms;
  std::vector<std::optional<Result<memory::EmbedderInfo>>> results(5);
  const auto run = [](EmbedderViaHttp& from, std::optional<Result<memory::EmbedderInfo>>& into) -> Task<void> {
    into = co_await from.info();
  };
  Scope scope(loop);
  std::vector<Scope::Handle> children;
  for (auto& result : results) children.push_back(scope.start(run(embedder(), result)));
  loop.run_ready();
  children[0].cancel();  // the learning request is cancelled: another continues
  get(embedder().info()).value();
  loop.run_ready();
  EXPECT_FALSE(results[0]);
  for (std::size_t i = 1; i < results.size(); ++i) {
    ASSERT_TRUE(results[i]);
    EXPECT_EQ(results[i]->value().id, "http:m/2");
  }
}

}  // namespace
}  // namespace parlance::server
