// SPDX-License-Identifier: Apache-2.0
// Commands as values: the result type of each, the table of their rules, and the permission check of UserHub::submit.
#include <gtest/gtest.h>

#include "parlance/hub/conversation/command.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/test_support.h"
#include "parlance/hub/test_team.h"

namespace parlance::hub {
namespace {

using namespace std::chrono_literals;

using Submitting = test::TeamOfTwo;

Task<Result<StopReason>> asks_once(Turn& turn, Prompt) {
  PARLANCE_CO_TRY(answer, co_await turn.ask({.tool = "run", .title = "make", .options = {{.id = "yes"}}}));
  co_return answer.allowed() ? StopReason::end_turn : StopReason::refusal;
}

TEST_F(Submitting, TheResultTypeFollowsFromTheCommand) {
  station.script = asks_once;
  UserHub ann = of("ann", TeamRole::member);
  const std::string id = conversation(Access::private_);
  const Result<Conversation> titled = test::outcome_of(loop, ann.submit(id, ChangeSettings{.changes = {.title = "A new title"}}));
  ASSERT_TRUE(titled) << titled.error().message;
  EXPECT_EQ(titled->title, "A new title");
  const Result<Prompted> prompted = test::outcome_of(loop, ann.submit(id, SendPrompt{.text = "hello"}));
  ASSERT_TRUE(prompted) << prompted.error().message;
  EXPECT_FALSE(prompted->turn.empty());
  loop.advance(50ms);
  ASSERT_EQ(open_asks(ann).size(), 1U);
  const Ask open = open_asks(ann).front();
  const Result<Ask> answered = test::outcome_of(
      loop, ann.submit(id, AnswerRequest{.request = open.id, .answer = {.digest = open.digest, .option = "yes"}}));
  ASSERT_TRUE(answered) << answered.error().message;
  EXPECT_EQ(answered->state, AskState::answered);
  EXPECT_EQ(answered->by, "ann");
  loop.advance(50ms);
  EXPECT_TRUE(test::outcome_of(loop, ann.submit(id, RemoveConversation{})));
  EXPECT_EQ(ann.find(id), nullptr);
}

// The caller's permission is checked for the named conversation, so the request must belong to that conversation.
TEST_F(Submitting, AnAnswerNamesTheConversationOfItsRequest) {
  station.script = asks_once;
  UserHub ann = of("ann", TeamRole::member);
  UserHub bob = of("bob", TeamRole::member);
  const std::string secret = conversation(Access::private_);
  const std::string open_to_all = conversation(Access::team);
  ASSERT_TRUE(test::outcome_of(loop, ann.submit(secret, SendPrompt{.text = "hello"})));
  loop.advance(50ms);
  const Ask open = open_asks(ann).front();
  const AnswerRequest answer{.request = open.id, .answer = {.digest = open.digest, .option = "yes"}};
  const Result<Ask> through_another = test::outcome_of(loop, bob.submit(open_to_all, answer));
  ASSERT_FALSE(through_another);
  EXPECT_EQ(through_another.error().code, Errc::not_found);
  const Result<Prompted> repeated = test::outcome_of(loop, bob.submit(open_to_all, RepeatRequest{.request = open.id}));
  ASSERT_FALSE(repeated);
  EXPECT_EQ(repeated.error().code, Errc::not_found);
  EXPECT_EQ(ann.find_ask(open.id)->state, AskState::open);
  EXPECT_TRUE(test::outcome_of(loop, ann.submit(secret, answer)));
  const Result<Ask> late = test::outcome_of(loop, bob.submit(open_to_all, answer));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, Errc::not_found) << "the decision of another user is hidden";
}

// The owner is another hub: the request must belong to the named conversation before the answer is sent.
TEST_F(Submitting, AnAnswerForAnotherOwnerNamesTheConversationOfItsRequest) {
  station.script = asks_once;
  UserHub ann = of("ann", TeamRole::member);
  const std::string secret = conversation(Access::private_);
  const std::string open_to_all = conversation(Access::team);
  test::Station other(loop, shared, "b");
  loop.advance(1s);
  const UserHub bob(*other.hub,
                    std::make_shared<const Caller>(Caller{.user = "user_bob", .name = "bob", .role = TeamRole::member}));
  ASSERT_TRUE(test::outcome_of(loop, ann.submit(secret, SendPrompt{.text = "hello"})));
  loop.advance(1s);
  const Ask open = open_asks(ann).at(0);
  for (const std::string& request : {open.id, std::string("ask_none"), std::string()}) {
    const auto outcome = test::outcome_of(
        loop,
        UserHub(bob).submit(open_to_all, AnswerRequest{.request = request, .answer = {.digest = open.digest, .option = "yes"}}));
    ASSERT_FALSE(outcome) << request;
    EXPECT_EQ(outcome.error().code, Errc::not_found) << request;
  }
  EXPECT_EQ(ann.find_ask(open.id)->state, AskState::open);
}

template <class C>
void expect_refused(Loop& loop, UserHub caller, const std::string& id, Errc code) {
  const auto done = test::outcome_of(loop, caller.submit(id, C{}));
  ASSERT_FALSE(done) << C::tag;
  EXPECT_EQ(done.error().code, code) << C::tag;
}

// Every command of the variant passes the same check.
TEST_F(Submitting, WithoutPermissionNoCommandRuns) {
  const std::string secret = conversation(Access::private_);
  const std::string readable = conversation(Access::view);
  const auto each = [&]<class... C>(std::type_identity<std::variant<C...>>) {
    (expect_refused<C>(loop, of("bob", TeamRole::member), secret, Errc::not_found), ...);
    (expect_refused<C>(loop, of("bob", TeamRole::member), readable, Errc::denied), ...);
  };
  each(std::type_identity<Command>{});
}

}  // namespace
}  // namespace parlance::hub
