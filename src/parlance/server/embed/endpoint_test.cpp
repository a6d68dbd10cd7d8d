// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/embed/endpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parlance::server {
namespace {

using memory::Vector;
using testing::ElementsAre;
using testing::HasSubstr;

EmbedTarget openai(std::string url) { return {.style = EmbedStyle::openai, .url = std::move(url)}; }
EmbedTarget embed(const std::string& base) {
  return {.style = EmbedStyle::embed, .url = base + "/embed", .batch_url = base + "/embed-batch"};
}
EmbedTarget llama(std::string url) { return {.style = EmbedStyle::llama, .url = std::move(url)}; }

std::vector<EmbedTarget> targets_of(std::string_view url) {
  auto endpoint = parse_embed_url(url);
  EXPECT_TRUE(endpoint) << url;
  return endpoint ? endpoint->targets : std::vector<EmbedTarget>{};
}

TEST(EmbedEndpoint, ThePathSaysTheStyle) {
  EXPECT_THAT(targets_of("https://api.openai.com/v1"), ElementsAre(openai("https://api.openai.com/v1/embeddings")));
  EXPECT_THAT(targets_of("http://a:1/v1/embeddings/"), ElementsAre(openai("http://a:1/v1/embeddings")));
  EXPECT_THAT(targets_of("http://a:1/deployments/x/embeddings?api-version=2"),
              ElementsAre(openai("http://a:1/deployments/x/embeddings?api-version=2")));
  EXPECT_THAT(targets_of("http://a:11434/api/embed"), ElementsAre(openai("http://a:11434/api/embed")));
  EXPECT_THAT(targets_of("http://a:50001/embed"), ElementsAre(embed("http://a:50001")));
  EXPECT_THAT(targets_of("http://a:50001/x/embed-batch"), ElementsAre(embed("http://a:50001/x")));
  EXPECT_THAT(targets_of("http://a:8080/embedding"), ElementsAre(llama("http://a:8080/embedding")));
}

TEST(EmbedEndpoint, ABareAddressIsTriedInEveryStyle) {
  EXPECT_THAT(targets_of(" http://a:50001/ "),
              ElementsAre(openai("http://a:50001/v1/embeddings"), embed("http://a:50001"), llama("http://a:50001/embedding")));
}

TEST(EmbedEndpoint, TheShownAddressHasNoSecrets) {
  const auto endpoint = parse_embed_url("https://ann:secret@host:1/v1?key=hidden");
  ASSERT_TRUE(endpoint);
  EXPECT_EQ(endpoint->shown, "https://host:1/v1");
  EXPECT_EQ(endpoint->host, "host");
  EXPECT_TRUE(endpoint->secure);
  EXPECT_EQ(endpoint->targets.front().url, "https://ann:secret@host:1/v1/embeddings?key=hidden");
}

TEST(EmbedEndpoint, AnInvalidAddressIsRefused) {
  for (const char* url : {"", "localhost:50001", "ftp://a", "http://", "http:// a"}) {
    const auto endpoint = parse_embed_url(url);
    ASSERT_FALSE(endpoint) << url;
    EXPECT_EQ(endpoint.error().code, Errc::invalid_params);
    EXPECT_THAT(endpoint.error().message, HasSubstr("http://HOST"));
  }
}

TEST(EmbedEndpoint, BodiesAreThoseOfTheStyles) {
  const std::vector<std::string> texts{"a\"b", "茶"};
  EXPECT_EQ(embed_body(openai("u"), "m", texts, true), R"({"model":"m","input":["a\"b","茶"],"encoding_format":"float"})");
  EXPECT_EQ(embed_body(openai("u"), "", std::span(texts).first(1), false), R"({"input":["a\"b"],"encoding_format":"float"})");
  EXPECT_EQ(embed_body(embed("u"), "m", texts, true), R"({"texts":["a\"b","茶"]})");
  EXPECT_EQ(embed_body(embed("u"), "m", std::span(texts).last(1), false), R"({"text":"茶"})");
  EXPECT_EQ(embed_body(llama("u"), "m", std::span(texts).last(1), false), R"({"content":"茶"})");
}

void expect_read(std::string_view body, const std::vector<Vector>& vectors, std::string_view model = "") {
  const auto answer = read_embed_answer(body, vectors.size());
  ASSERT_TRUE(answer) << body << ": " << answer.error().message;
  EXPECT_EQ(answer->vectors, vectors) << body;
  EXPECT_EQ(answer->model, model) << body;
}

TEST(EmbedEndpoint, EveryShapeOfAnswerIsRead) {
  expect_read(R"({"object":"list","data":[{"object":"embedding","index":0,"embedding":[1,2]}],"model":"m","usage":{}})", {{1, 2}},
              "m");
  expect_read(R"({"data":[{"index":1,"embedding":[3]},{"index":0,"embedding":[1]}]})", {{1}, {3}});  // out of order
  expect_read(R"({"data":[{"embedding":[1]},{"embedding":[3]}],"model":null})", {{1}, {3}});
  expect_read(R"({"data":[{"index":0,"embedding":"AACAPwAAAMA="}]})", {{1, -2}});  // base64, unasked
  expect_read(R"({"embedding":[0.5,1],"dim":2,"model":"x.gguf"})", {{0.5F, 1}}, "x.gguf");
  expect_read(R"({"embeddings":[[1],[2]],"count":2,"dim":1})", {{1}, {2}});
  expect_read(R"([{"index":0,"embedding":[[1,2]]}])", {{1, 2}});        // llama.cpp, pooled
  expect_read(R"([{"index":0,"embedding":[[1,2],[3,4]]}])", {{2, 3}});  // … without pooling: a row a token
  expect_read(R"([{"index":0,"embedding":[1,2]}])", {{1, 2}});          // … before its answers had rows
  expect_read(R"({"embedding":[1,2]})", {{1, 2}});                      // … and before they were a list
  expect_read("[[1,2],[3,4]]", {{1, 2}, {3, 4}});                       // Hugging Face's server
}

TEST(EmbedEndpoint, OtherAnswersAreErrors) {
  const auto why = [](std::string_view body, std::size_t texts) {
    const auto answer = read_embed_answer(body, texts);
    EXPECT_FALSE(answer) << body;
    if (answer) return std::string();
    EXPECT_EQ(answer.error().code, Errc::failed);
    return answer.error().message;
  };
  EXPECT_THAT(why(R"({"data":[{"index":0,"embedding":[1]}]})", 2), HasSubstr("1 vectors for 2 texts"));
  EXPECT_THAT(why(R"({"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]})", 2), HasSubstr("indexes"));
  EXPECT_THAT(why(R"({"data":[{"index":-1,"embedding":[1]}]})", 1), HasSubstr("indexes"));
  EXPECT_THAT(why(R"({"embeddings":[[1],[1,2]]})", 2), HasSubstr("differ in length"));
  EXPECT_THAT(why(R"({"embeddings":[[]]})", 1), HasSubstr("empty"));
  EXPECT_THAT(why(R"({"data":[{"index":0}]})", 1), HasSubstr("has no embedding"));
  EXPECT_THAT(why(R"({"message":"hello"})", 1), HasSubstr("has no embedding"));
  EXPECT_THAT(why(R"({"embedding":[null]})", 1), HasSubstr("other than a number"));
  EXPECT_THAT(why("<html>", 1), HasSubstr("unknown form"));
  EXPECT_THAT(why("[1,2", 1), HasSubstr("not JSON"));
}

}  // namespace
}  // namespace parlance::server
