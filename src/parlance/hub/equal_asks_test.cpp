// SPDX-License-Identifier: Apache-2.0
// Several open requests of one agent with the same content.
#include <gtest/gtest.h>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/test_support.h"

namespace parlance::hub {
namespace {

using test::Bench;

// Asks several times at once.
struct AsksAtOnce : Bench {
  explicit AsksAtOnce(std::vector<std::string> details) {
    script = [this, details = std::move(details)](Turn& turn, Prompt) -> Task<Result<StopReason>> {
      Scope scope(loop);
      std::size_t left = details.size();
      Signal all(loop);
      const auto ask = [&](std::string call, std::string detail) -> Task<void> {
        AskRequest request{.call = std::move(call), .tool = "fetch", .title = "Fetch", .detail = std::move(detail)};
        request.options = {{.id = "always", .label = "Always", .kind = OptionKind::allow_always},
                           {.id = "once", .label = "Once", .kind = OptionKind::allow_once},
                           {.id = "no", .label = "No", .kind = OptionKind::reject_once}};
        const auto answer = co_await turn.ask(std::move(request));
        if (answer && answer->allowed()) ++allowed;
        if (--left == 0) all.notify_all();
      };
      for (std::size_t i = 0; i < details.size(); ++i) scope.start(ask("c" + std::to_string(i), details[i]));
      while (left != 0) co_await all.wait();
      co_return StopReason::end_turn;
    };
    id = conversation();
    prompt(id);
    loop.run_ready();
  }
  std::string id;
  int allowed = 0;
};

TEST(EqualAsks, AlwaysAnswersTheEqualQuestionsOfTheAgentAndNoOther) {
  AsksAtOnce bench({"https://a", "https://a", "https://b", "https://a"});
  const auto asks = open_asks(*bench.hub);
  ASSERT_EQ(asks.size(), 4U);
  ASSERT_TRUE(bench.answer(asks.front(), "always"));
  bench.loop.run_ready();
  const auto left = open_asks(*bench.hub);
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left.front().detail, "https://b");
  EXPECT_EQ(bench.allowed, 3);
}

TEST(EqualAsks, OnceAnswersOneOfEqualQuestions) {
  AsksAtOnce bench({"https://a", "https://a"});
  ASSERT_TRUE(bench.answer(open_asks(*bench.hub).front(), "once"));
  bench.loop.run_ready();
  EXPECT_EQ(open_asks(*bench.hub).size(), 1U);
  EXPECT_EQ(bench.allowed, 1);
}

}  // namespace
}  // namespace parlance::hub
