// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/embed/batcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/server/embed/test_support.h"

namespace parlance::server {
namespace {

using test::FakeEmbedder;
using testing::Contains;
using testing::ElementsAre;
using testing::SizeIs;

using Vectors = Result<std::vector<memory::Vector>>;
using Texts = std::vector<std::string>;

class EmbedBatcherTest : public testing::Test {
 protected:
  // Runs until it waits; its result is there once it ended.
  struct Asked {
    std::optional<Vectors> result{};
    Scope::Handle child;
  };
  Asked& ask(Texts texts) {
    Asked& asked = *asked_.emplace_back(std::make_unique<Asked>());
    const auto run = [](EmbedBatcher& batcher, Texts wanted, Asked& into) -> Task<void> {
      into.result = co_await batcher.embed(std::move(wanted));
    };
    asked.child = scope_.start(run(batcher, std::move(texts), asked));
    return asked;
  }
  static Texts many(const std::string& name, int count) {
    Texts texts;
    for (int i = 0; i < count; ++i) texts.push_back(name + std::to_string(i));
    return texts;
  }
  void expect_vectors(const Asked& asked, const Texts& texts) {
    ASSERT_TRUE(asked.result);
    ASSERT_TRUE(*asked.result) << asked.result->error().message;
    ASSERT_EQ((*asked.result)->size(), texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i)
      EXPECT_EQ((**asked.result)[i], FakeEmbedder::vector_of(texts[i], embedder.dimension)) << texts[i];
  }

  Loop loop{Loop::Time::virtual_};
  FakeEmbedder embedder{loop};
  EmbedBatcher batcher{loop, embedder, {.call_texts = 8, .call_bytes = 100, .waiting_bytes = 1'000}};

 private:
  std::vector<std::unique_ptr<Asked>> asked_;
  Scope scope_{loop};
};

TEST_F(EmbedBatcherTest, ASingleRequestDoesNotWait) {
  const Asked& asked = ask({"tea", "milk"});
  loop.run_ready();
  expect_vectors(asked, {"tea", "milk"});
  EXPECT_THAT(embedder.calls, ElementsAre(Texts{"tea", "milk"}));
  const Asked& none = ask({});
  expect_vectors(none, {});
  EXPECT_THAT(embedder.calls, SizeIs(1));
}

TEST_F(EmbedBatcherTest, ARequestDuringACallJoinsTheNext) {
  embedder.closed = true;
  const Asked& first = ask({"a"});
  const Asked& second = ask({"b", "c"});
  const Asked& third = ask({"d"});
  EXPECT_THAT(embedder.calls, ElementsAre(Texts{"a"}));
  EXPECT_FALSE(first.result);
  embedder.open();
  loop.run_ready();
  expect_vectors(first, {"a"});
  expect_vectors(second, {"b", "c"});
  expect_vectors(third, {"d"});
  EXPECT_THAT(embedder.calls, ElementsAre(Texts{"a"}, Texts{"b", "c", "d"}));
  EXPECT_EQ(batcher.statistics().requests, 3U);
  EXPECT_EQ(batcher.statistics().calls, 2U);
  EXPECT_EQ(batcher.statistics().waiting_bytes, 0U);
}

TEST_F(EmbedBatcherTest, ALongRequestDoesNotDelayAShortRequest) {
  embedder.closed = true;
  const Texts texts = many("long", 40);
  const Asked& long_one = ask(texts);
  const Asked& short_one = ask({"short"});
  const Asked& other = ask({"x", "y"});
  embedder.open();
  loop.run_ready();
  expect_vectors(long_one, texts);
  expect_vectors(short_one, {"short"});
  expect_vectors(other, {"x", "y"});
  ASSERT_GE(embedder.calls.size(), 3U);
  EXPECT_THAT(embedder.calls[1], Contains("short"));
  EXPECT_THAT(embedder.calls[1], Contains("x"));
  EXPECT_THAT(embedder.calls[1], Contains("y"));
  EXPECT_THAT(embedder.calls[1], SizeIs(8));  // the long request fills the rest of the call
  for (const Texts& call : embedder.calls) EXPECT_LE(call.size(), 8U);
  EXPECT_EQ(embedder.calls.size(), 6U);  // 43 texts by eights
}

TEST_F(EmbedBatcherTest, ARequestBeyondACallsLimitIsServedInTurn) {
  embedder.closed = true;
  ask({"first"});
  std::vector<const Asked*> all;
  for (int i = 0; i < 20; ++i) all.push_back(&ask({"a" + std::to_string(i), "b" + std::to_string(i)}));
  embedder.open();
  loop.run_ready();
  for (int i = 0; i < 20; ++i)
    expect_vectors(*all[static_cast<std::size_t>(i)], {"a" + std::to_string(i), "b" + std::to_string(i)});
  EXPECT_THAT(embedder.calls[1], ElementsAre("a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7"));
  EXPECT_THAT(embedder.calls[2], Contains("a8"));
}

TEST_F(EmbedBatcherTest, ACallIsBoundedInBytes) {
  embedder.closed = true;
  ask({"first"});
  const std::string big(60, 'x');
  const Texts texts{big + "1", big + "2", std::string(300, 'y'), "z"};
  const Asked& asked = ask(texts);
  embedder.open();
  loop.run_ready();
  expect_vectors(asked, texts);
  EXPECT_THAT(embedder.calls, ElementsAre(Texts{"first"}, Texts{texts[0]}, Texts{texts[1]}, Texts{texts[2]}, Texts{"z"}));
}

TEST_F(EmbedBatcherTest, AFullQueueRefusesRequests) {
  embedder.closed = true;
  const Asked& waits = ask({std::string(900, 'a')});
  const Asked& refused = ask({std::string(200, 'b')});
  ASSERT_TRUE(refused.result);
  EXPECT_EQ(refused.result->error().code, Errc::overloaded);
  embedder.open();
  loop.run_ready();
  expect_vectors(waits, {std::string(900, 'a')});
  const Asked& alone = ask({std::string(2'000, 'c')});  // nothing waits: it is taken
  loop.run_ready();
  expect_vectors(alone, {std::string(2'000, 'c')});
}

TEST_F(EmbedBatcherTest, ABadTextAffectsOnlyItsOwnRequest) {
  embedder.refused = [](const std::string& text) { return text == "bad"; };
  embedder.closed = true;
  ask({"first"});
  const Asked& good = ask({"a", "b"});
  const Asked& bad = ask({"c", "bad"});
  const Asked& other = ask({"d"});
  embedder.open();
  loop.run_ready();
  expect_vectors(good, {"a", "b"});
  expect_vectors(other, {"d"});
  ASSERT_TRUE(bad.result);
  EXPECT_EQ(bad.result->error().message, "cannot embed bad");
}

TEST_F(EmbedBatcherTest, AnEmbedderOutOfReachIsNotAskedForEachAlone) {
  embedder.closed = true;
  const Asked& first = ask({"first"});
  const Asked& second = ask({"a"});
  const Asked& third = ask({"b"});
  embedder.down = Error{.code = Errc::disconnected, .message = "gone"};
  embedder.open();
  loop.run_ready();
  for (const Asked* asked : {&first, &second, &third}) {
    ASSERT_TRUE(asked->result);
    EXPECT_EQ(asked->result->error().code, Errc::disconnected);
  }
  EXPECT_THAT(embedder.calls, ElementsAre(Texts{"first"}, Texts{"a", "b"}));
  embedder.down.reset();
  const Asked& later = ask({"c"});
  loop.run_ready();
  expect_vectors(later, {"c"});
}

TEST_F(EmbedBatcherTest, ACancelledRequestIsExcluded) {
  Scope callers(loop);
  embedder.closed = true;
  const Asked& first = ask({"first"});
  std::optional<Vectors> never;
  const auto run = [](EmbedBatcher& to, std::optional<Vectors>& into) -> Task<void> { into = co_await to.embed({"left"}); };
  Scope::Handle child = callers.start(run(batcher, never));
  const Asked& second = ask({"stays"});
  child.cancel();
  EXPECT_EQ(batcher.statistics().waiting_bytes, 10U);
  embedder.open();
  loop.run_ready();
  expect_vectors(first, {"first"});
  expect_vectors(second, {"stays"});
  EXPECT_FALSE(never);
  EXPECT_THAT(embedder.calls, ElementsAre(Texts{"first"}, Texts{"stays"}));
}

}  // namespace
}  // namespace parlance::server
