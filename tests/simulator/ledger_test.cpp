// SPDX-License-Identifier: Apache-2.0
// A log with each fault, for the oracle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/conversation/usage.h"
#include "tests/simulator/world.h"

namespace parlance::simulator {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

struct LedgerOfTwo : ::testing::Test {
  void log(hub::EventBody body) {
    std::vector<hub::Event>& events = store.logs["conversation"];
    events.push_back({.seq = events.size() + 1, .body = std::move(body)});
  }
  const std::vector<std::string>& compared() {
    ledger.compare(store);
    return ledger.disagreements();
  }
  hub::EventBody request(std::string id, std::string call) {
    return hub::event::ToolConfirmation{
        .ask = {.id = std::move(id), .call = std::move(call), .options = {{.id = "yes", .kind = hub::OptionKind::allow_once}}}};
  }
  Loop loop{Loop::Time::virtual_};
  hub::test::MemoryStore store{loop};
  Ledger ledger;
};

TEST_F(LedgerOfTwo, FindsALostPrompt) {
  ledger.prompt_sent("one", "conversation", "ann");
  ledger.prompt_taken("one");
  store.logs["conversation"] = {};
  EXPECT_THAT(compared(), Contains(HasSubstr("is lost")));
}

TEST_F(LedgerOfTwo, FindsADoubledPrompt) {
  ledger.prompt_sent("one", "conversation", "ann");
  log(hub::event::UserMessage{.text = "one", .by = "ann"});
  log(hub::event::UserMessage{.text = "one", .by = "ann"});
  EXPECT_THAT(compared(), Contains(HasSubstr("twice")));
}

TEST_F(LedgerOfTwo, FindsARefusedPromptInTheLog) {
  ledger.prompt_sent("one", "conversation", "ann");
  ledger.prompt_refused("one", {.code = Errc::denied});
  log(hub::event::UserMessage{.text = "one", .by = "ann"});
  EXPECT_THAT(compared(), Contains(HasSubstr("the refused prompt \"one\" is in the log")));
}

TEST_F(LedgerOfTwo, FindsALostAttachment) {
  ledger.prompt_sent("one", "conversation", "ann", "bytes");
  log(hub::event::UserMessage{.text = "one", .attachments = std::vector<hub::AttachmentInfo>{{.id = "file"}}, .by = "ann"});
  store.attachments["file"] = {.data = "bytes", .conversation = "conversation"};
  EXPECT_THAT(compared(), IsEmpty());
  store.attachments["file"].data = "other bytes";
  EXPECT_THAT(compared(), Contains(HasSubstr("the attachment of \"one\" is lost")));
}

TEST_F(LedgerOfTwo, FindsARemovedConversationInTheStore) {
  store.put({{.id = "conversation"}, {}});
  ledger.removed("conversation");
  EXPECT_THAT(compared(), IsEmpty());
  ledger.removal_taken("conversation");
  EXPECT_THAT(compared(), Contains(HasSubstr("the removed conversation is in the store")));
}

TEST_F(LedgerOfTwo, FindsATurnAboveALimit) {
  ledger.limit_conversations(100);
  log(hub::event::Usage{.input_tokens = 100});
  log(hub::event::TurnStart{});
  log(hub::event::Text{});
  EXPECT_THAT(compared(), Contains(HasSubstr("the agent works in event 3 after 100 tokens, without an answer")));
}

TEST_F(LedgerOfTwo, FindsTwoWritingOwners) {
  ledger.committed("conversation", "a", 1);
  ledger.committed("conversation", "b", 2);
  ledger.committed("conversation", "b", 2);
  EXPECT_THAT(ledger.disagreements(), IsEmpty());
  ledger.committed("conversation", "a", 2);
  EXPECT_THAT(ledger.disagreements(), Contains(HasSubstr("a and b write in epoch 2")));
}

TEST_F(LedgerOfTwo, FindsAWriteOfAnEarlierOwner) {
  ledger.committed("conversation", "b", 2);
  ledger.committed("conversation", "a", 1);
  EXPECT_THAT(ledger.disagreements(), Contains(HasSubstr("a writes in epoch 1 after b in epoch 2")));
}

struct CommandsOfTwo : LedgerOfTwo {
  std::size_t title(std::string value) {
    return ledger.commands().sent("conversation", "ann", {.kind = CommandBook::Kind::title, .value = std::move(value)});
  }
  void log_title(const std::string& value) { log(hub::notice_of(hub::act::title, value, "ann")); }
  void take(std::size_t command) { ledger.commands().settled(command, nullptr); }
};

TEST_F(CommandsOfTwo, FindsALostCommand) {
  take(title("one"));
  store.logs["conversation"] = {};
  EXPECT_THAT(compared(), Contains(HasSubstr("the taken title one of ann stands in the log 0 times")));
}

TEST_F(CommandsOfTwo, FindsADoubledCommand) {
  title("one");
  log_title("one");
  EXPECT_THAT(compared(), IsEmpty());
  log_title("one");
  EXPECT_THAT(compared(), Contains(HasSubstr("title one of ann, stands in the log 2 times")));
}

TEST_F(CommandsOfTwo, FindsARefusedCommandInTheLog) {
  const Error refusal{.code = Errc::denied};
  ledger.commands().settled(title("one"), &refusal);
  log_title("one");
  EXPECT_THAT(compared(), Contains(HasSubstr("refused 1 times")));
}

TEST_F(CommandsOfTwo, FindCommandsInAnotherOrder) {
  take(title("one"));
  take(title("two"));
  log_title("two");
  log_title("one");
  EXPECT_THAT(compared(), Contains(HasSubstr("title one of ann, comes behind a later command")));
}

TEST_F(CommandsOfTwo, MayOvertakeACommandWithoutAnOutcome) {
  title("one");
  take(title("two"));
  log_title("two");
  log_title("one");
  EXPECT_THAT(compared(), IsEmpty());
}

TEST(Refusals, AreCertain) {
  EXPECT_TRUE(is_refusal({.code = Errc::deadline_exceeded, .message = "the owner did not answer; nothing was done"}));
  EXPECT_FALSE(is_refusal({.code = Errc::overloaded, .message = "may still carry out the command: the simulated store is full"}));
  EXPECT_FALSE(is_refusal({.code = Errc::disconnected}));
}

TEST(Progress, FindsAConversationAtRest) {
  Progress progress(3min);
  const TimePoint begin{};
  EXPECT_TRUE(progress.look("conversation", "one", true, begin));
  EXPECT_TRUE(progress.look("conversation", "one", true, begin + 2min));
  EXPECT_TRUE(progress.look("conversation", "two", true, begin + 4min));
  EXPECT_TRUE(progress.look("conversation", "two", false, begin + 6min));  // hindered
  EXPECT_TRUE(progress.look("conversation", "two", true, begin + 8min));
  EXPECT_FALSE(progress.look("conversation", "two", true, begin + 9min));
}

TEST_F(LedgerOfTwo, FindsPromptsInAnotherOrder) {
  ledger.expect_order();
  for (const char* const text : {"one", "two"}) {
    ledger.prompt_sent(text, "conversation", "ann");
    ledger.prompt_taken(text);
  }
  log(hub::event::UserMessage{.text = "two", .by = "ann"});
  log(hub::event::UserMessage{.text = "one", .by = "ann"});
  EXPECT_THAT(compared(), Contains(HasSubstr("behind a later prompt")));
}

TEST_F(LedgerOfTwo, FindsAnAdoptedSessionWithoutItsEnd) {
  KeptSessions sessions;
  sessions.adopts("session1", nullptr);
  for (const KeptTurn& turn : kept_turns("session1")) {
    log(hub::event::UserMessage{.text = turn.prompt});
    log(hub::event::Text{.text = turn.answer});
  }
  ledger.compare(store, sessions);
  EXPECT_THAT(ledger.disagreements(), IsEmpty());
  store.logs["conversation"].pop_back();
  ledger.compare(store, sessions);
  EXPECT_THAT(ledger.disagreements(), Contains(HasSubstr("instead of the session")));
}

TEST_F(LedgerOfTwo, FindsASessionWithTwoConversations) {
  KeptSessions sessions;
  sessions.adopts("session1", nullptr);
  store.put({{.id = "first", .agent_session = {.id = "session1"}}, {}});
  ledger.compare(store, sessions);
  EXPECT_THAT(ledger.disagreements(), IsEmpty());
  store.put({{.id = "second", .agent_session = {.id = "session1"}}, {}});
  ledger.compare(store, sessions);
  EXPECT_THAT(ledger.disagreements(), Contains(HasSubstr("continues session1 like")));
}

TEST_F(LedgerOfTwo, FindsTwoCountedAnswers) {
  ledger.answer_counts({.id = "ask"}, "yes", "ann");
  ledger.answer_counts({.id = "ask"}, "no", "ann");
  EXPECT_THAT(ledger.disagreements(), Contains(HasSubstr("two answers")));
}

TEST_F(LedgerOfTwo, FindsACallWithoutPermission) {
  log(request("ask", "call"));
  ledger.call_carried_out("conversation", "call");
  EXPECT_THAT(compared(), Contains(HasSubstr("without permission")));
}

TEST_F(LedgerOfTwo, FindsACallCarriedOutTwice) {
  ledger.call_carried_out("conversation", "call");
  ledger.call_carried_out("conversation", "call");
  EXPECT_THAT(ledger.disagreements(), Contains(HasSubstr("twice")));
}

TEST_F(LedgerOfTwo, FindsAnAnswerWithoutAPerson) {
  log(request("ask", "call"));
  log(hub::event::AskSettled{.ask = "ask", .chosen = "yes", .by = "person"});
  EXPECT_THAT(compared(), Contains(HasSubstr("nobody gave the answer")));
}

TEST_F(LedgerOfTwo, FindsARequestSettledTwice) {
  ledger.answer_sent("ask", "yes", "person");
  log(request("ask", "call"));
  for (int i = 0; i < 2; ++i) log(hub::event::AskSettled{.ask = "ask", .chosen = "yes", .by = "person"});
  EXPECT_THAT(compared(), Contains(HasSubstr("settled again")));
}

TEST_F(LedgerOfTwo, FindsOverlappingTurns) {
  log(hub::event::TurnStart{.turn = "one"});
  log(hub::event::TurnStart{.turn = "two"});
  EXPECT_THAT(compared(), Contains(HasSubstr("within a turn")));
}

TEST_F(LedgerOfTwo, FindsAPromptExecutedTwice) {
  ledger.prompt_sent("one", "conversation", "ann");
  EXPECT_EQ(ledger.executed("one", "session"), "conversation");
  EXPECT_EQ(ledger.executed("of a repeated request", "session"), "conversation");
  EXPECT_THAT(ledger.disagreements(), IsEmpty());
  ledger.executed("one", "session of another runner");
  EXPECT_THAT(ledger.disagreements(), Contains(HasSubstr("executed \"one\" twice")));
}

struct TextsOfATurn : LedgerOfTwo {
  const std::vector<std::string>& compared_with(std::vector<std::string> logged, hub::StopReason reason) {
    ledger.prompt_sent("prompt", "conversation", "ann");
    for (const char* const text : {"one ", "two ", "three "}) ledger.wrote("prompt", text, has_lied);
    log(hub::event::TurnStart{.turn = "turn"});
    log(hub::event::UserMessage{.turn = "turn", .text = "prompt", .by = "ann"});
    for (std::string& text : logged) log(hub::event::Text{.text = std::move(text)});
    log(hub::event::TurnEnd{.turn = "turn", .stop_reason = reason});
    return compared();
  }
  std::shared_ptr<bool> has_lied;
};

TEST_F(TextsOfATurn, MayEndWithTheTurn) {
  EXPECT_THAT(compared_with({"one ", "\n\ntwo "}, hub::StopReason::cancelled), IsEmpty());
}

TEST_F(TextsOfATurn, LostAtTheEnd) {
  EXPECT_THAT(compared_with({"one ", "two "}, hub::StopReason::end_turn), Contains(HasSubstr("the log has \"one two \"")));
}

TEST_F(TextsOfATurn, LostInTheMiddle) {
  EXPECT_THAT(compared_with({"one ", "three "}, hub::StopReason::error), Contains(HasSubstr("the log has \"one three \"")));
}

TEST_F(TextsOfATurn, Doubled) {
  EXPECT_THAT(compared_with({"one ", "one "}, hub::StopReason::cancelled), Contains(HasSubstr("the log has \"one one \"")));
}

TEST_F(TextsOfATurn, OfALyingRunnerAreUnknown) {
  has_lied = std::make_shared<bool>(true);
  EXPECT_THAT(compared_with({"three "}, hub::StopReason::end_turn), IsEmpty());
}

TEST_F(LedgerOfTwo, KnowsAHangingAgent) {
  {
    const Ledger::Hanging hanging(ledger, "conversation");
    EXPECT_TRUE(ledger.hangs("conversation"));
  }
  EXPECT_FALSE(ledger.hangs("conversation"));
}

TEST_F(LedgerOfTwo, FindsAPromptInTheNameOfAnother) {
  ledger.prompt_sent("one", "conversation", "ann");
  log(hub::event::UserMessage{.text = "one", .by = "bob"});
  EXPECT_THAT(compared(), Contains(HasSubstr("names bob as the author")));
}

TEST_F(LedgerOfTwo, FindsCommandsWithoutPermission) {
  ledger.begun("conversation", "ann", hub::Access::view);
  ledger.permitted("ann", "conversation", hub::Permission::change);
  EXPECT_THAT(ledger.disagreements(), IsEmpty());
  ledger.permitted("bob", "conversation", hub::Permission::stop);
  EXPECT_THAT(ledger.disagreements(), Contains(HasSubstr("a command of bob ran without the permission to stop")));
  ledger.prompt_sent("one", "conversation", "bob");
  ledger.executed("one", "conversation");
  log(hub::event::UserMessage{.text = "one", .by = "bob"});
  ledger.answer_sent("ask", "yes", "bob");
  log(request("ask", "call"));
  log(hub::event::AskSettled{.ask = "ask", .chosen = "yes", .by = "bob"});
  EXPECT_THAT(compared(), AllOf(Contains(HasSubstr("an agent executed")), Contains(HasSubstr("is in the log without permission")),
                                Contains(HasSubstr("bob answered ask without permission"))));
}

TEST_F(LedgerOfTwo, KnowsThePermissionsOfEachPerson) {
  ledger.viewer("vic");
  ledger.begun("conversation", "ann", hub::Access::team);
  EXPECT_TRUE(ledger.permits("bob", "conversation", hub::Permission::answer));
  EXPECT_FALSE(ledger.permits("bob", "conversation", hub::Permission::remove));
  EXPECT_TRUE(ledger.permits("vic", "conversation", hub::Permission::read));
  EXPECT_FALSE(ledger.permits("vic", "conversation", hub::Permission::prompt));
}

TEST_F(LedgerOfTwo, FindsAnEventForAnotherPerson) {
  ledger.begun("conversation", "ann", hub::Access::private_);
  log(hub::event::TurnStart{.turn = "one"});
  ledger.followed(store, "ann", "conversation", 0, store.logs["conversation"].front());
  EXPECT_THAT(ledger.disagreements(), IsEmpty());
  ledger.followed(store, "bob", "conversation", 0, store.logs["conversation"].front());
  EXPECT_THAT(ledger.disagreements(), Contains(HasSubstr("bob received event 1 without permission")));
}

TEST_F(LedgerOfTwo, FindsAnEventOutOfOrder) {
  log(hub::event::TurnStart{.turn = "one"});
  ledger.followed(store, "ann", "conversation", 1, store.logs["conversation"].front());
  ledger.followed(store, "ann", "conversation", 1, {.seq = 2});
  EXPECT_THAT(ledger.disagreements(), Contains(HasSubstr("after event")));
  EXPECT_THAT(ledger.disagreements(), Contains(HasSubstr("does not have")));
}

}  // namespace
}  // namespace parlance::simulator
