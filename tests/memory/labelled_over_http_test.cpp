// SPDX-License-Identifier: Apache-2.0
// The labelled pairs again, through the embedding service on a port and our client of such services: the way that a person with a
// back end goes. The figures have to be those of the embedder behind it.
#include <array>
#include <cstdio>
#include <cstdlib>

#include <gtest/gtest.h>

#include "parlance/memory/builtin_embedder.h"
#include "parlance/server/embed/embed_over_http.h"
#include "parlance/server/embed/embedder_on_worker.h"
#include "parlance/server/embed/embedder_via_http.h"
#include "tests/memory/evaluation.h"

namespace parlance::test {
namespace {

constexpr double default_minimum = 0.7;
constexpr std::array<std::string_view, 1> words = {"words"};
constexpr std::array<std::string_view, 1> paraphrases = {"paraphrase"};

struct Way {
  const char* name;
  const char* path;  // of the service's address: which style is spoken
  const char* half;
};

class LabelledOverHttp : public testing::TestWithParam<Way> {
 protected:
  static void SetUpTestSuite() {
    for (const char* name : {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"}) ::unsetenv(name);
  }
  std::vector<ScoredPair> scored(memory::Embedder& embedder) {
    auto pairs = read_pairs(std::string(PARLANCE_SOURCE_DIR) + "/tests/memory/pairs." + GetParam().half + ".jsonl");
    PARLANCE_CHECK(pairs, "the labelled pairs are there");
    auto all = loop.block_on(score_pairs(embedder, *std::move(pairs)));
    EXPECT_TRUE(all) << all.error().message;
    return all ? *std::move(all) : std::vector<ScoredPair>{};
  }
  Loop loop;
};

TEST_P(LabelledOverHttp, TheFiguresAreThoseOfTheEmbedderBehindTheService) {
  server::EmbedderOnWorker behind(loop);
  server::EmbedOverHttp service(loop, behind, {.listen = {.host = "127.0.0.1", .port = 0}});
  ASSERT_TRUE(service.start());
  auto via = server::EmbedderViaHttp::make(loop, {.url = "http://127.0.0.1:" + std::to_string(service.port()) + GetParam().path});
  ASSERT_TRUE(via);
  memory::BuiltinEmbedder here;
  const auto there = scored(**via);
  const auto direct = scored(here);
  ASSERT_EQ(there.size(), direct.size());
  ASSERT_GE(there.size(), 150U);
  for (std::size_t i = 0; i < there.size(); ++i) {
    EXPECT_NEAR(there[i].cosine, direct[i].cosine, 1e-6) << there[i].pair.query;
    EXPECT_NEAR(there[i].match.score, direct[i].match.score, 1e-5) << there[i].pair.query;
  }
  for (const auto kinds : {words, paraphrases}) {
    const Figures ours = figures(there, kinds, default_minimum);
    const Figures its = figures(direct, kinds, default_minimum);
    EXPECT_EQ(ours.found, its.found);
    EXPECT_EQ(ours.missed, its.missed);
    EXPECT_EQ(ours.wrong, its.wrong);
  }
  const Figures found = figures(there, words, default_minimum);
  EXPECT_GE(found.precision(), 0.9);
  EXPECT_GE(found.recall(), 0.8);
  std::fputs(report(std::string("over HTTP, ") + GetParam().name, there).c_str(), stdout);
}

INSTANTIATE_TEST_SUITE_P(Ways, LabelledOverHttp,
                         testing::Values(Way{"openai_dev", "/v1/embeddings", "dev"},
                                         Way{"openai_heldout", "/v1/embeddings", "heldout"}, Way{"embed_dev", "/embed", "dev"},
                                         Way{"embed_heldout", "/embed", "heldout"}, Way{"address_alone_heldout", "", "heldout"}),
                         [](const auto& way) { return std::string(way.param.name); });

}  // namespace
}  // namespace parlance::test
