// SPDX-License-Identifier: Apache-2.0
// Claude Code's counters as usage of a turn.
#include "parlance/driver/claude/usage.h"

#include <gtest/gtest.h>

namespace parlance::driver {
namespace {

claude::TurnResult result(double cost, std::string models) {
  return {.total_cost_usd = cost,
          .usage = claude::Usage{.input_tokens = 10, .output_tokens = 20, .cache_creation = 3, .cache_read = 4},
          .model_usage = {std::move(models)}};
}
constexpr const char* first =
    R"({"big":{"inputTokens":10,"outputTokens":20,"cacheReadInputTokens":4,"cacheCreationInputTokens":3,"costUSD":0.5,"contextWindow":200000}})";
constexpr const char* second =
    R"({"big":{"inputTokens":10,"outputTokens":20,"cacheReadInputTokens":4,"cacheCreationInputTokens":3,"costUSD":0.5,"contextWindow":200000},)"
    R"("small":{"inputTokens":7,"outputTokens":1,"cacheReadInputTokens":0,"cacheCreationInputTokens":0,"costUSD":0.25,"contextWindow":100000}})";

TEST(ClaudeUsage, IsOfTheTurnAlthoughTheProcessCountsOn) {
  ClaudeUsage counted;
  counted.answered(*json::parse(
      R"({"model":"big","usage":{"input_tokens":10,"output_tokens":20,"cache_read_input_tokens":4,"cache_creation_input_tokens":3}})"));
  const auto usage = counted.of(result(0.5, first));
  ASSERT_TRUE(usage);
  EXPECT_EQ(usage->input_tokens, 17U) << "all that was read";
  EXPECT_EQ(usage->cache_read_tokens, 4U);
  EXPECT_EQ(usage->cache_write_tokens, 3U);
  EXPECT_EQ(usage->cost, hub::Cost{.amount = 0.5});
  ASSERT_EQ(usage->models->size(), 1U);
  EXPECT_EQ(usage->models->front().input_tokens, 17U);
  EXPECT_EQ(usage->context, (hub::ContextUse{.used = 37, .size = 200000}));

  const auto two = counted.of(result(0.75, second));
  EXPECT_EQ(two->cost, hub::Cost{.amount = 0.25});
  ASSERT_EQ(two->models->size(), 1U) << "earlier use by another model is reported";
  EXPECT_EQ(two->models->front().model, "small");
  EXPECT_EQ(two->models->front().cost, hub::Cost{.amount = 0.25});
  EXPECT_EQ(two->context->size, 200000U) << "of the model that talks to the person";

  counted.process_begins();
  EXPECT_EQ(counted.of(result(0.5, first))->cost, hub::Cost{.amount = 0.5});
}

TEST(ClaudeUsage, AMissingFigureIsNotReported) {
  ClaudeUsage counted;
  EXPECT_FALSE(counted.of({}));
  const auto bare = counted.of({.usage = claude::Usage{.input_tokens = 1}});
  ASSERT_TRUE(bare);
  EXPECT_FALSE(bare->cost);
  EXPECT_FALSE(bare->models);
  EXPECT_FALSE(bare->context);
}

}  // namespace
}  // namespace parlance::driver
