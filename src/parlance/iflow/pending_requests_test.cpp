// SPDX-License-Identifier: Apache-2.0
#include "parlance/iflow/pending_requests.h"

#include <optional>

#include <gtest/gtest.h>

#include "parlance/async/scope.h"

namespace parlance::iflow {
namespace {

using namespace std::chrono_literals;

struct Waits {
  template <class T>
  void begin(Task<Result<T>> task, std::optional<Result<T>>& into) {
    scope.start([](Task<Result<T>> task, std::optional<Result<T>>& to) -> Task<void> { to.emplace(co_await std::move(task)); }(
                                                                           std::move(task), into));
    while (loop.run_ready()) {}
  }
  Loop loop{Loop::Time::virtual_};
  PendingRequests pending{loop};
  Scope scope{loop};
};

TEST(PendingRequests, AQuestionOfSeveralIsAnsweredByAListAndOneWithoutAnAnswerIsLeftOut) {
  Waits waits;
  std::optional<Result<acp::iflow::Answers>> answers;
  waits.begin(waits.pending.questions(1, {"Extras"}, 1s), answers);
  ASSERT_TRUE(waits.pending.answer(1, {{"Database", {"sqlite"}}, {"Extras", {"tests"}}, {"Name", {}}}));
  while (waits.loop.run_ready()) {}
  ASSERT_TRUE(answers && *answers);
  EXPECT_EQ((*answers)->answers.at("Database").json, "\"sqlite\"");
  EXPECT_EQ((*answers)->answers.at("Extras").json, "[\"tests\"]");
  EXPECT_FALSE((*answers)->answers.contains("Name"));
}

TEST(PendingRequests, QuestionsAreGivenUpAfterATimeAndPlansAreNot) {
  Waits waits;
  std::optional<Result<acp::iflow::Answers>> answers;
  std::optional<Result<acp::iflow::PlanDecision>> decision;
  waits.begin(waits.pending.questions(1, {}, 300s), answers);
  waits.begin(waits.pending.plan(2), decision);
  waits.loop.advance(300s);
  while (waits.loop.run_ready()) {}
  ASSERT_TRUE(answers && *answers);
  EXPECT_TRUE((*answers)->answers.empty());
  waits.loop.advance(24h);
  EXPECT_FALSE(decision) << "a person reads it as long as they like";
  ASSERT_TRUE(waits.pending.decide(2, true, ""));
  while (waits.loop.run_ready()) {}
  EXPECT_TRUE(decision && *decision && (*decision)->approved);
}

}  // namespace
}  // namespace parlance::iflow
