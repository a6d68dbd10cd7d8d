// SPDX-License-Identifier: Apache-2.0
// A person edits a proposal before the approval, or ends the turn with a refusal.
#include <gtest/gtest.h>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/test_support.h"

namespace parlance::hub {
namespace {

using namespace std::chrono_literals;
using test::Bench;

struct Proposing : Bench {
  Proposing() {
    script = [this](Turn& turn, Prompt) -> Task<Result<StopReason>> {
      AskRequest request = proposal;
      auto answered = co_await turn.ask(std::move(request));
      if (!answered) co_return std::unexpected(answered.error());
      answer_seen = *answered;
      if (then_waits) co_await sleep_for(loop, 1h);
      co_return StopReason::end_turn;
    };
    id = conversation();
  }
  Ask open_ask() {
    prompt(id);
    loop.run_ready();
    PARLANCE_CHECK(open_asks(*hub).size() == 1, "one open ask");
    return open_asks(*hub)[0];
  }
  Result<Ask> edit(const Ask& ask, std::string option, std::string text) {
    return loop.block_on(
        hub->submit(ask.conversation,
                    AnswerRequest{.request = ask.id,
                                  .answer = {.digest = ask.digest, .option = std::move(option), .edited = std::move(text)}}));
  }

  AskRequest proposal{.tool = "write_file",
                      .title = "a.cpp",
                      .diff = Diff{.path = "/project/a.cpp", .before = "old", .after = "new"},
                      .options = once_offer(),
                      .editable = EditablePart::diff};
  bool then_waits = false;
  std::string id;
  std::optional<AskAnswer> answer_seen;
};

TEST(Edited, PersonsVersionIsApproved) {
  Proposing bench;
  const Ask ask = bench.open_ask();
  EXPECT_EQ(ask.editable, EditablePart::diff);
  ASSERT_TRUE(bench.edit(ask, "allow_once", "mine"));
  bench.loop.run_ready();
  ASSERT_TRUE(bench.answer_seen);
  EXPECT_EQ(bench.answer_seen->edited, "mine");
  const Ask& kept = bench.store.asks.at(ask.id);
  EXPECT_EQ(kept.diff->after, "mine");
  EXPECT_EQ(kept.edited, "mine");
  Ask as_edited = ask;
  as_edited.diff->after = "mine";
  EXPECT_EQ(kept.digest, digest_of(as_edited, "/project")) << "over the applied text";
  EXPECT_EQ(bench.answer_seen->digest, kept.digest);
  EXPECT_NE(kept.digest, ask.digest);
  for (const Event& event : bench.store.logs.at(bench.id))
    if (const auto* settled = std::get_if<event::AskSettled>(&event.body)) EXPECT_EQ(settled->edited, "mine");
}

TEST(Edited, WithoutAnEditTheDigestIsUnchanged) {
  Proposing bench;
  const Ask ask = bench.open_ask();
  ASSERT_TRUE(bench.answer(ask, "allow_once"));
  bench.loop.run_ready();
  EXPECT_EQ(bench.answer_seen->digest, ask.digest);
  EXPECT_FALSE(bench.answer_seen->edited);
}

TEST(Edited, EditNeedsAnOfferAndAnAllowingAnswer) {
  Proposing bench;
  Ask ask = bench.open_ask();
  EXPECT_EQ(bench.edit(ask, "reject", "mine").error().message, "changes count only for what is allowed");
  EXPECT_EQ(bench.hub->find_ask(ask.id)->state, AskState::open);
  ask.digest = "of something else";
  EXPECT_EQ(bench.edit(ask, "allow_once", "mine").error().code, Errc::invalid_request);

  Proposing fixed;
  fixed.proposal.editable.reset();
  EXPECT_EQ(fixed.edit(fixed.open_ask(), "allow_once", "mine").error().message,
            "nothing of this can be changed before it is allowed");

  Proposing command;
  command.proposal = {.title = "make", .detail = "make", .options = once_offer(), .editable = EditablePart::command};
  const Ask run = command.open_ask();
  EXPECT_EQ(command.edit(run, "allow_once", " ").error().message, "the changed command is empty");
  ASSERT_TRUE(command.edit(run, "allow_once", "make test"));
  EXPECT_EQ(command.store.asks.at(run.id).detail, "make test");
}

TEST(Edited, FailedWriteReopensTheOriginalAsk) {
  Proposing bench;
  const Ask ask = bench.open_ask();
  bench.store.failing = true;
  EXPECT_FALSE(bench.edit(ask, "allow_once", "mine"));
  bench.store.failing = false;
  ASSERT_TRUE(bench.hub->find_ask(ask.id) != nullptr);
  EXPECT_EQ(bench.hub->find_ask(ask.id)->diff->after, "new");
}

TEST(Edited, RepeatedCallHasItsLatestInput) {
  Bench bench;
  const std::string id = bench.conversation();
  std::string resumed;
  bench.script = [&](Turn& turn, Prompt prompt) -> Task<Result<StopReason>> {
    if (prompt.resume) {
      resumed = prompt.resume->call.arguments_json;
      co_return StopReason::end_turn;
    }
    turn.emit(event::ToolStart{.call = "c", .tool = "t", .input_json = "{}"});
    turn.emit(event::ToolUpdate{.call = "c", .input_json = R"({"n":1})"});
    AskRequest request{.call = "c", .title = "x", .options = once_offer()};
    static_cast<void>(co_await turn.ask(std::move(request)));
    co_return StopReason::end_turn;
  };
  bench.prompt(id);
  bench.loop.run_ready();
  const std::string ask = open_asks(*bench.hub).at(0).id;
  bench.crash();
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(id, RepeatRequest{.request = ask})));
  bench.loop.run_ready();
  EXPECT_EQ(resumed, R"({"n":1})");
}

TEST(RejectAndStop, AgentGetsTheRejectionAndTheTurnEnds) {
  Proposing bench;
  bench.then_waits = true;
  const Ask ask = bench.open_ask();
  ASSERT_TRUE(bench.answer(ask, "reject_stop"));
  bench.loop.advance(1s);
  ASSERT_TRUE(bench.answer_seen);
  EXPECT_FALSE(bench.answer_seen->allowed());
  EXPECT_EQ(bench.answer_seen->kind, OptionKind::reject_and_stop);
  EXPECT_EQ(bench.log.cancels, 1);
  EXPECT_EQ(bench.store.asks.at(ask.id).chosen, "reject_stop");
}

TEST(RejectAndStop, FollowsRejectInTheStandardOffer) {
  const Offer offer = standard_offer({.conversation = "c", .agent = "a", .folder = "/f", .tool = "t", .intent = {}});
  ASSERT_GE(offer.options.size(), 3U);
  EXPECT_EQ(offer.options.back().kind, OptionKind::reject_and_stop);
  EXPECT_EQ(offer.options[offer.options.size() - 2].kind, OptionKind::reject_once);
}

}  // namespace
}  // namespace parlance::hub
