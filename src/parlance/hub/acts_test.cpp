// SPDX-License-Identifier: Apache-2.0
// Acts of people in a conversation's log, with their names; and the audit of a removed conversation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/test_shared_store.h"
#include "parlance/hub/user_hub.h"

namespace parlance::hub {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// "ann: title=Deploy"
std::string line_of(const Act& act) { return act.by.value_or("-") + ": " + act.what + (act.value ? "=" + *act.value : ""); }

std::vector<std::string> acts_in(const std::vector<Event>& log) {
  std::vector<std::string> lines;
  for (const Event& event : log)
    if (const auto* notice = std::get_if<event::Notice>(&event.body); notice != nullptr && notice->act) {
      lines.push_back(line_of(*notice->act));
      EXPECT_FALSE(notice->text.empty()) << "clients without support for acts show this sentence";
    }
  return lines;
}

TEST(Acts, PersonsChangesAreLoggedOnce) {
  test::Bench bench;
  const std::string id = bench.conversation();
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(id, ChangeSettings{{.title = "Deploy", .model = "big", .think = true}})));
  ASSERT_TRUE(bench.loop.block_on(
      bench.hub->submit(id, ChangeSettings{{.title = "Deploy", .model = "big", .think = true, .archived = true}})));
  EXPECT_THAT(acts_in(bench.store.logs.at(id)),
              ElementsAre("-: title=Deploy", "-: model=big", "-: think=true", "-: archived=true"));
  EXPECT_TRUE(is_own_act(std::get<event::Notice>(bench.store.logs.at(id).back().body)));
}

TEST(Acts, TurnWithoutActsHasNone) {
  test::Bench bench;
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  EXPECT_EQ(bench.trace(id), "turn_start user turn_end");
}

TEST(Acts, FailedChangeIsNotLogged) {
  test::Bench bench;
  const std::string id = bench.conversation();
  bench.store.failing = true;
  EXPECT_FALSE(bench.loop.block_on(bench.hub->submit(id, ChangeSettings{{.title = "Deploy"}})));
  bench.store.failing = false;
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(id, ChangeSettings{{.model = "big"}})));
  EXPECT_THAT(acts_in(bench.store.logs.at(id)), ElementsAre("-: model=big"));
}

TEST(Acts, SentenceNamesUserAndAct) {
  EXPECT_EQ(notice_of(act::title, "Deploy", "ann").text, "ann: the title is \"Deploy\" now.");
  EXPECT_EQ(notice_of(act::think, "false", "").text, "The agent now answers without thinking.");
  EXPECT_EQ(notice_of(act::access, "view", "").text, "The team may read this conversation.");
  EXPECT_EQ(sentence_of(Act{.what = "to_come", .by = "ann"}), "");
}

struct TeamActs : ::testing::Test {
  TeamActs() {
    shared.team = std::make_shared<const Team>(Team{.users = {{.id = "user_ann", .name = "ann"},
                                                              {.id = "user_bob", .name = "bob"},
                                                              {.id = "user_root", .name = "root", .role = TeamRole::admin}}});
    ++shared.version;
    loop.advance(10s);
  }
  UserHub of(test::Station& at, const std::string& name, TeamRole role = TeamRole::member) {
    return {*at.hub, std::make_shared<const Caller>(Caller{.user = "user_" + name, .name = name, .role = role})};
  }
  template <class T>
  T get(Task<T> task) {
    return test::outcome_of(loop, std::move(task));
  }
  std::string conversation() {
    const auto made = get(ann.create({.agent = "scripted", .folder = "/project", .access = Access::team}));
    PARLANCE_CHECK(made, "a conversation");
    loop.advance(5s);
    return made->id;
  }
  std::vector<std::string> audit() const {
    std::vector<std::string> lines;
    for (const AuditEntry& entry : shared.audit) lines.push_back(entry.by + " " + entry.what + " " + entry.conversation);
    return lines;
  }

  Loop loop{Loop::Time::virtual_};
  test::SharedMemory shared{loop};
  test::Station one{loop, shared, "a"};
  test::Station two{loop, shared, "b"};
  UserHub ann = of(one, "ann");
  UserHub bob_elsewhere = of(two, "bob");
};

// The owner executes the command, and its log names the requesting user.
TEST_F(TeamActs, ActFromAnyGatewayHasItsUser) {
  test::Gate gate(loop);
  one.script = [&](Turn&, Prompt) -> Task<Result<StopReason>> {
    co_await gate.wait();
    co_return StopReason::end_turn;
  };
  const std::string id = conversation();
  ASSERT_TRUE(get(ann.submit(id, SendPrompt{.text = "first"})));
  const auto waits = get(bob_elsewhere.submit(id, SendPrompt{.text = "second"}));
  ASSERT_TRUE(waits);
  ASSERT_FALSE(waits->queued.empty());
  loop.advance(5s);
  ASSERT_TRUE(get(ann.submit(id, WithdrawPrompt{.prompt = waits->queued})));
  ASSERT_TRUE(get(bob_elsewhere.submit(id, SendPrompt{.text = "third"})));
  ASSERT_TRUE(bob_elsewhere.submit_at_once(id, StopTurn{}));
  loop.advance(10s);
  ASSERT_TRUE(bob_elsewhere.submit_at_once(id, ResumeQueue{}));
  loop.advance(5s);
  gate.release();
  loop.advance(5s);
  EXPECT_THAT(acts_in(shared.memory.logs[id]), ElementsAre("ann: withdraw=bob", "bob: stop", "bob: go_on"));
  EXPECT_THAT(shared.audit, IsEmpty()) << "it stands in the log of the conversation";
}

TEST_F(TeamActs, DeletionIsInTheAuditWithItsUser) {
  const std::string id = conversation();
  UserHub root_elsewhere = of(two, "root", TeamRole::admin);
  ASSERT_TRUE(get(root_elsewhere.submit(id, RemoveConversation{})));
  EXPECT_THAT(audit(), ElementsAre("root conversation_deleted " + id));
  EXPECT_EQ(shared.audit.front().user, "user_root");
  EXPECT_EQ(shared.audit.front().about, "user_ann") << "whose it was";
}

TEST_F(TeamActs, ProgramRequestLeavesNoAudit) {
  const auto made = get(ann.create({.agent = "scripted", .folder = "/project", .via = "http"}));
  ASSERT_TRUE(made);
  ASSERT_TRUE(get(ann.submit(made->id, RemoveConversation{})));
  EXPECT_THAT(shared.audit, IsEmpty());
}

TEST_F(TeamActs, RuleIsLoggedWithItsAnswerAndItsRevocation) {
  one.script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    PARLANCE_CO_TRY(
        answer, co_await turn.ask({.call = "c1",
                                   .tool = "run",
                                   .title = "make SECRET",
                                   .options = {{.id = "always", .kind = OptionKind::allow_always}},
                                   .rules = {{.option = "always", .rule = {.effect = Effect::allow, .label = "make SECRET"}}}}));
    co_return answer.allowed() ? StopReason::end_turn : StopReason::refusal;
  };
  const std::string id = conversation();
  ASSERT_TRUE(get(ann.submit(id, SendPrompt{.text = "make"})));
  loop.advance(5s);
  const Ask ask = open_asks(*one.hub).at(0);
  ASSERT_TRUE(
      get(ann.submit(ask.conversation, AnswerRequest{.request = ask.id, .answer = {.digest = ask.digest, .option = "always"}})));
  loop.advance(5s);
  ASSERT_THAT(shared.memory.rules, SizeIs(1));
  const std::string rule = shared.memory.rules.front().id;
  const event::AskSettled* settled = nullptr;
  for (const Event& event : shared.memory.logs[id])
    if (const auto* found = std::get_if<event::AskSettled>(&event.body)) settled = found;
  ASSERT_NE(settled, nullptr);
  EXPECT_EQ(settled->rule, rule);
  EXPECT_EQ(settled->by, "ann");
  ASSERT_TRUE(get(ann.revoke(rule)));
  EXPECT_THAT(audit(), ElementsAre("ann rule_added " + id, "ann rule_removed "));
  for (const AuditEntry& entry : shared.audit) {
    EXPECT_EQ(entry.about, rule);
    EXPECT_EQ((entry.detail + entry.about + entry.what).find("SECRET"), std::string::npos) << "nothing of a conversation";
  }
}

TEST_F(TeamActs, OrphanedAskIsSettledByTheActingUser) {
  one.script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    static_cast<void>(co_await turn.ask(
        {.call = "c1", .tool = "run", .title = "make", .options = {{.id = "yes", .kind = OptionKind::allow_once}}}));
    co_return StopReason::end_turn;
  };
  const std::string id = conversation();
  ASSERT_TRUE(get(ann.submit(id, SendPrompt{.text = "make"})));
  loop.advance(5s);
  one.die();
  loop.advance(60s);
  const auto orphaned = [&] { return two.hub->find_ask(open_asks(*two.hub).at(0).id)->state == AskState::orphaned; };
  ASSERT_THAT(open_asks(*two.hub), SizeIs(1));
  ASSERT_TRUE(orphaned());
  ASSERT_TRUE(get(of(two, "ann").submit(id, ClearConversation{})));
  const event::AskSettled* settled = nullptr;
  for (const Event& event : shared.memory.logs[id])
    if (const auto* found = std::get_if<event::AskSettled>(&event.body)) settled = found;
  ASSERT_NE(settled, nullptr);
  EXPECT_EQ(settled->by, "ann");
}

TEST_F(TeamActs, SpendingLimitsAreLoggedWithTheirUser) {
  UserHub root = of(one, "root", TeamRole::admin);
  ASSERT_TRUE(get(root.set_spending_limits({})));
  EXPECT_THAT(audit(), ElementsAre("root limits_set "));
}

}  // namespace
}  // namespace parlance::hub
