// SPDX-License-Identifier: Apache-2.0
// Effects of a changed role, access or token on kept handles, queued messages and turns of guests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/hub/conversation/event.h"
#include "parlance/hub/runtime/change.h"
#include "parlance/hub/runtime/snapshot.h"
#include "parlance/hub/test_shared_store.h"
#include "parlance/hub/user_hub.h"

namespace parlance::hub {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct ChangedRights : ::testing::Test {
  ChangedRights() { set_team(TeamRole::member); }
  // Sets a team with this role for bob.
  void set_team(TeamRole bobs, bool bob_is_disabled = false, bool bob_has_token = true) {
    Team team{
        .users = {{.id = "user_ann", .name = "ann"},
                  {.id = "user_bob", .name = "bob", .role = bobs, .disabled = bob_is_disabled},
                  {.id = "user_root", .name = "root", .role = TeamRole::admin}},
        .tokens = {{.id = "token_ann", .hash = "1", .user = "user_ann"}, {.id = "token_root", .hash = "3", .user = "user_root"}}};
    if (bob_has_token) team.tokens.push_back({.id = "token_bob", .hash = "2", .user = "user_bob"});
    shared.team = std::make_shared<const Team>(std::move(team));
    ++shared.version;
    loop.advance(10s);
  }
  UserHub of(const std::string& name, TeamRole role = TeamRole::member, test::Station* at = nullptr) {
    const Caller caller{.user = "user_" + name, .name = name, .role = role, .token = "token_" + name};
    return {*(at == nullptr ? station : *at).hub, std::make_shared<const Caller>(caller)};
  }
  template <class T>
  T get(Task<T> task) {
    return test::outcome_of(loop, std::move(task));
  }
  std::string conversation(UserHub whose, std::optional<Access> access) {
    const auto made = get(whose.create({.agent = "scripted", .folder = "/project", .access = access}));
    PARLANCE_CHECK(made, "a conversation");
    loop.advance(1ms);
    return made->id;
  }
  std::string trace(const std::string& id) {
    std::string all;
    for (const Event& event : shared.memory.logs[id]) {
      if (const auto* said = std::get_if<event::UserMessage>(&event.body)) all += said->text + " ";
      if (const auto* notice = std::get_if<event::Notice>(&event.body))
        if (notice->level == NoticeLevel::warning) all += "(" + notice->text.substr(0, notice->text.find(" was not sent")) + ") ";
    }
    return all;
  }

  Loop loop{Loop::Time::virtual_};
  test::SharedMemory shared{loop};
  test::Station station{loop, shared, "a"};
  UserHub ann = of("ann");
  UserHub bob = of("bob");
};

TEST_F(ChangedRights, AKeptHandlePermitsNothingAfterAChange) {
  const std::string id = conversation(ann, Access::team);
  const std::string own = conversation(bob, {});
  ASSERT_TRUE(bob.check(Permission::create));
  const auto watcher = bob.watch();
  struct Change {
    TeamRole role;
    bool disabled;
    bool has_token;
  };
  for (const Change change :
       {Change{TeamRole::viewer, false, true}, {TeamRole::member, true, true}, {TeamRole::member, false, false}}) {
    set_team(change.role, change.disabled, change.has_token);
    for (const Permission permission : {Permission::enter, Permission::create, Permission::read})
      EXPECT_FALSE(bob.check(permission));
    EXPECT_EQ(bob.find(id), nullptr);
    EXPECT_THAT(bob.snapshot().conversations, IsEmpty());
    EXPECT_THAT(bob.agents(), IsEmpty());
    EXPECT_FALSE(get(bob.submit(id, SendPrompt{.text = "x"})));
    EXPECT_FALSE(get(bob.submit(own, SendPrompt{.text = "x"})));
    EXPECT_FALSE(get(bob.create({.agent = "scripted", .folder = "/project"})));
    EXPECT_FALSE(get(bob.events(own, 0, 0, 0)));
    EXPECT_FALSE(get(bob.events<EventText>(own, 0, 0, 0)));
  }
  set_team(TeamRole::member);
  EXPECT_TRUE(get(bob.submit(id, SendPrompt{.text = "x"}))) << "restored";
  EXPECT_TRUE(ann.check(Permission::create));
}

TEST_F(ChangedRights, ARevokedCallersRequestConversationIsRemoved) {
  const auto made = get(bob.create({.agent = "scripted", .folder = "/project", .via = "http"}));
  ASSERT_TRUE(made);
  set_team(TeamRole::viewer);
  EXPECT_FALSE(get(bob.submit(made->id, SendPrompt{.text = "x"})));
  EXPECT_TRUE(get(bob.submit(made->id, RemoveConversation{})));
}

TEST_F(ChangedRights, AQueuedMessageWithoutPermissionIsDroppedWithANotice) {
  for (const bool by_role : {true, false}) {
    test::Gate gate(loop);
    station.script = test::ends_after(gate);
    const std::string id = conversation(ann, Access::team);
    ASSERT_TRUE(get(ann.submit(id, SendPrompt{.text = "first"})));
    ASSERT_TRUE(get(bob.submit(id, SendPrompt{.text = "bobs"})));
    ASSERT_TRUE(get(ann.submit(id, SendPrompt{.text = "last"})));
    loop.advance(50ms);
    if (by_role) set_team(TeamRole::viewer);
    else ASSERT_TRUE(get(ann.submit(id, ChangeSettings{{.access = Access::view}})));
    gate.release();
    loop.advance(1s);
    EXPECT_EQ(trace(id), "first (A waiting message of bob) last ");
    EXPECT_THAT(station.hub->find(id)->queued, IsEmpty());
    set_team(TeamRole::member);
  }
}

TEST_F(ChangedRights, StopOwnStopsOnlyTheSameUsersTurn) {
  test::Gate gate(loop);
  station.script = test::ends_after(gate);
  const std::string id = conversation(ann, Access::team);
  ASSERT_TRUE(get(ann.submit(id, SendPrompt{.text = "first"})));
  loop.advance(50ms);
  for (UserHub* const caller : {&bob, static_cast<UserHub*>(nullptr)}) {
    UserHub root = of("root", TeamRole::admin);
    EXPECT_TRUE((caller != nullptr ? *caller : root).submit_at_once(id, StopTurn{.only_own = true}));
    loop.advance(1s);
    EXPECT_EQ(station.hub->find(id)->state, ConversationState::running);
  }
  EXPECT_TRUE(ann.submit_at_once(id, StopTurn{.only_own = true}));
  loop.advance(5s);
  EXPECT_EQ(station.hub->find(id)->state, ConversationState::idle);
}

TEST_F(ChangedRights, ATurnOfAGuestsMessageIsMarked) {
  std::vector<bool> of_guest;
  station.script = [&](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    of_guest.push_back(turn.is_of_guest());
    EXPECT_EQ(station.hub->may_be_of_guest(turn.setup().id), turn.is_of_guest());
    co_return StopReason::end_turn;
  };
  const std::string id = conversation(ann, Access::team);
  ASSERT_TRUE(get(ann.submit(id, SendPrompt{.text = "anns"})));
  ASSERT_TRUE(get(bob.submit(id, SendPrompt{.text = "bobs"})));
  ASSERT_TRUE(get(ann.submit(id, ContinueTurn{}))) << "bob's words, resumed by ann";
  ASSERT_TRUE(get(of("root", TeamRole::admin).submit(id, SendPrompt{.text = "roots"})));
  ASSERT_TRUE(get(station.hub->submit(id, SendPrompt{.text = "of the person of the machine"})));
  ASSERT_TRUE(get(ann.submit(id, SendPrompt{.text = "anns"})));
  loop.advance(1s);
  EXPECT_THAT(of_guest, testing::ElementsAre(false, true, true, true, true, false));
  EXPECT_TRUE(station.hub->may_be_of_guest(id)) << "idle, open to the team";
  EXPECT_FALSE(station.hub->may_be_of_guest(conversation(ann, {})));
}

TEST_F(ChangedRights, AGuestsMessageThatALimitHeldIsStillOfAGuestAfterARestart) {
  station.script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    turn.emit(event::Usage{.input_tokens = 10});
    co_return StopReason::end_turn;
  };
  const std::string id = conversation(ann, Access::team);
  ASSERT_TRUE(get(ann.submit(id, SendPrompt{.text = "anns"})));
  loop.advance(1s);
  ASSERT_TRUE(get(of("root", TeamRole::admin).set_spending_limits({.day_tokens = 1})));
  ASSERT_TRUE(get(bob.submit(id, SendPrompt{.text = "bobs"})));
  loop.advance(1s);
  station.die();
  loop.advance(1min);
  test::Station next(loop, shared, "b");
  std::vector<bool> of_guest;
  next.script = [&](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    of_guest.push_back(turn.is_of_guest());
    co_return StopReason::end_turn;
  };
  ASSERT_TRUE(get(of("root", TeamRole::admin, &next).set_spending_limits({})));
  const auto asks = open_asks(*next.hub);
  ASSERT_THAT(asks, SizeIs(1));
  ASSERT_TRUE(get(of("ann", TeamRole::member, &next).submit(id, RepeatRequest{.request = asks.front().id})));
  loop.advance(1s);
  EXPECT_THAT(of_guest, testing::ElementsAre(true));
}

TEST_F(ChangedRights, TheOwnerChecksACommandOfAnotherGatewayAgain) {
  test::Station two(loop, shared, "b");
  const std::string id = conversation(ann, Access::team);
  loop.advance(10s);
  UserHub far = of("bob", TeamRole::member, &two);
  ASSERT_TRUE(get(far.submit(id, SendPrompt{.text = "bobs"})));
  set_team(TeamRole::viewer);
  const auto late = get(two.hub->submit(id, SendPrompt{.text = "late"}, far.caller()));  // a gateway with an outdated team
  EXPECT_FALSE(late);
  EXPECT_EQ(trace(id), "bobs ");
}

// A read of the rules begins before a revocation, and its answer comes after the answer of a later read.
TEST_F(ChangedRights, ASlowAnswerRestoresNoRevokedRule) {
  station.script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    AskRequest request{.call = "c1", .tool = "run", .intent = ToolIntent{.kind = ToolKind::edit, .title = "n"}};
    request.intent->path = request.intent->real_path = "/project/n";
    request.intent->path_inside = true;
    PARLANCE_CO_TRY(answer, co_await turn.ask(std::move(request)));
    co_return answer.allowed() ? StopReason::end_turn : StopReason::refusal;
  };
  const std::string waits = conversation(of("ann"), std::nullopt);
  const std::string other = conversation(of("ann"), std::nullopt);
  const auto rule_for = [](const std::string& id) {
    return Rule{.id = "rule_" + id, .effect = Effect::allow, .label = "edits", .user = "user_ann", .conversation = id};
  };
  const auto set_rules = [&](std::vector<Rule> rules) {
    shared.memory.rules = std::move(rules);
    ++shared.version;
  };
  set_rules({rule_for(other)});
  ASSERT_TRUE(get(of("ann").submit(waits, SendPrompt{.text = "one"})));
  loop.advance(10s);
  ASSERT_THAT(open_asks(of("ann")), SizeIs(1));

  test::Gate slow(loop);
  station.store.slow_settings = &slow;
  set_rules({rule_for(other), rule_for(waits)});
  loop.advance(10s);  // the read has begun
  set_rules({rule_for(other)});
  ASSERT_TRUE(get(of("ann").submit(other, SendPrompt{.text = "two"})));  // reads the rules again
  const auto watcher = station.hub->watch();
  slow.release();
  loop.advance(10s);
  EXPECT_THAT(station.hub->rules(), SizeIs(1));
  const auto seen = watcher->queued() == 0 ? std::vector<ChangePtr>{} : get(watcher->next());
  for (const ChangePtr& change : seen)
    EXPECT_FALSE(std::holds_alternative<change::RuleAdded>(*change)) << "no page shows the revoked rule again";
  EXPECT_THAT(open_asks(of("ann")), SizeIs(1)) << "the revoked rule answers nothing";
}

TEST_F(ChangedRights, ASlowAnswerRestoresNoRemovedConversation) {
  test::Station two(loop, shared, "b");
  const std::string id = conversation(ann, Access::team);
  loop.advance(10s);
  test::Gate slow{loop};
  two.store.slow_row = &slow;
  Scope scope(loop);
  const auto rename = [](Hub& hub, std::string which, CallerPtr by) -> Task<void> {
    static_cast<void>(co_await hub.submit(std::move(which), ChangeSettings{{.title = "new"}}, std::move(by)));
  };
  scope.start(rename(*two.hub, id, ann.caller()));
  loop.advance(10s);  // the owner has renamed it, and the second gateway reads the row
  ASSERT_EQ(two.store.slow_row, nullptr);
  ASSERT_TRUE(get(ann.submit(id, RemoveConversation{})));
  loop.advance(10s);
  ASSERT_EQ(two.hub->find(id), nullptr);
  slow.release();
  loop.advance(10s);
  EXPECT_EQ(two.hub->find(id), nullptr);
}

}  // namespace
}  // namespace parlance::hub
