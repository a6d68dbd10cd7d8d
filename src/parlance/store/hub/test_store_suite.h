// SPDX-License-Identifier: Apache-2.0
// Tests of every hub store. The parameter opens and closes a store:
//
//   struct Kind { static std::string unavailable(); std::unique_ptr<hub::Store> open(Loop&); void close(Loop&, std::unique_ptr<hub::Store>); };
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/async/loop.h"
#include "parlance/async/scope.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/log/shared_store.h"
#include "parlance/hub/log/store.h"
#include "parlance/store/hub/test_event_texts.h"

namespace parlance::store::test {

inline hub::Event text(std::uint64_t seq, std::string said = "x") {
  return {.seq = seq, .time = "2026-01-01T00:00:00.000Z", .body = hub::event::Text{.text = std::move(said)}};
}

template <class Kind>
class StoreSuite : public testing::Test {
 public:
  void SetUp() override {
    if (const std::string why = Kind::unavailable(); !why.empty()) GTEST_SKIP() << why;
    kind = std::make_unique<Kind>();
    open();
  }
  void TearDown() override {
    if (store) kind->close(loop, std::move(store));
  }
  void open() {
    store = kind->open(loop);
    const auto loaded = loop.block_on(store->load());
    ASSERT_TRUE(loaded) << loaded.error().message;
    stored = *loaded;
    if (hub::SharedStore* const shared = store->shared())  // a hub owns its conversations
      for (const hub::PackedConversation& conversation : stored.conversations)
        ASSERT_TRUE(*loop.block_on(shared->claim(std::string(conversation.id()))));
  }
  // Reopens the store like another process.
  void open_again() {
    kind->close(loop, std::move(store));
    open();
  }
  Result<void> commit(hub::Commit change) { return loop.block_on(store->commit(std::move(change))); }
  hub::Stored load() { return *loop.block_on(store->load()); }
  std::string seqs(std::uint64_t after, std::uint64_t before, std::size_t limit) {
    std::string line;
    const auto events = loop.block_on(store->events("c1", after, before, limit));
    for (const hub::Event& event : *events) line += std::to_string(event.seq);
    return line;
  }
  std::string seqs_after(std::uint64_t after, std::uint64_t last, std::size_t most_bytes) {
    std::string line;
    const auto events = loop.block_on(store->events_after("c1", after, last, most_bytes));
    for (const hub::Event& event : *events) line += std::to_string(event.seq);
    return line;
  }

  Loop loop;
  std::unique_ptr<Kind> kind;
  std::unique_ptr<hub::Store> store;
  hub::Stored stored;
};

TYPED_TEST_SUITE_P(StoreSuite);

TYPED_TEST_P(StoreSuite, KeepsConversationsEventsAsksAndRules) {
  using namespace hub;
  Conversation row = *conversation("c1");
  row.title = "It's \"quoted\" \\ 主题 {a,b}";
  row.folders = {"/g", "/h"};
  row.named = true;
  row.turn = "t1";
  row.agent_session = {.id = "native", .how = AgentSession::How::fork};
  row.queued = {{.id = "q", .text = "next"}};
  const Rule rule{.id = "r1",
                  .effect = Effect::allow,
                  .label = "L",
                  .created_at = "t",
                  .agent = "a",
                  .conversation = "c1",
                  .folder = "/f",
                  .runner = "box",
                  .tool = "run",
                  .path_prefix = "/f/x",
                  .command_words = {"npm", "test"}};
  const auto first =
      this->commit({.conversation = std::make_shared<const Conversation>(row),
                    .events_of = "c1",
                    .events = {text(1, "a"), text(2, "b")},
                    .asks = {{.id = "a1", .conversation = "c1", .title = "T", .answers = {{"x", "y"}}, .expires_at = "later"},
                             {.id = "a2", .conversation = "c1", .title = "T", .state = AskState::answered}},
                    .rules = {rule, {.id = "r2", .label = "later"}}});
  ASSERT_TRUE(first) << first.error().message;
  ASSERT_TRUE(this->commit({.events_of = "c1", .events = {text(3, "c")}, .removed_rules = {"none"}}));
  this->open_again();
  ASSERT_EQ(this->stored.conversations.size(), 1U);
  const Conversation found = this->stored.conversations[0].unpack();
  EXPECT_EQ(found.last_seq, 3U);
  EXPECT_EQ(found.title, row.title);
  EXPECT_EQ(found.turn, "t1");
  EXPECT_EQ(found.folders, row.folders);
  EXPECT_TRUE(found.named);
  EXPECT_EQ(found.agent_session, row.agent_session);
  EXPECT_EQ(found.queued.size(), 1U);
  ASSERT_EQ(this->stored.asks.size(), 1U);
  EXPECT_EQ(this->stored.asks[0].answers, (std::vector<std::vector<std::string>>{{"x", "y"}}));
  EXPECT_EQ(this->stored.asks[0].expires_at, "later");
  ASSERT_EQ(this->stored.rules.size(), 2U);
  EXPECT_EQ(this->stored.rules[0].id, "r2") << "the newest first";
  EXPECT_EQ(this->stored.rules[1].command_words, rule.command_words);
  EXPECT_EQ(this->stored.rules[1].runner, "box");
  EXPECT_EQ(this->stored.rules[1].path_prefix, "/f/x");
  EXPECT_EQ(this->stored.rules[1].conversation, "c1");
  EXPECT_EQ((*this->loop.block_on(this->store->ask("a2")))->state, AskState::answered);
  EXPECT_FALSE(*this->loop.block_on(this->store->ask("a3")));
}

TYPED_TEST_P(StoreSuite, EventsAreReadFromBothEnds) {
  const std::string long_text(1000, 'x');
  ASSERT_TRUE(this->commit({.conversation = conversation("c1"),
                            .events_of = "c1",
                            .events = {text(1, long_text), text(2, long_text), text(3, long_text), text(4, long_text)}}));
  EXPECT_EQ(this->seqs(0, UINT64_MAX, 0), "1234");
  EXPECT_EQ(this->seqs(1, UINT64_MAX, 0), "234");
  EXPECT_EQ(this->seqs(0, 3, 1), "2") << "the newest below";
  EXPECT_EQ(this->seqs_after(0, UINT64_MAX, SIZE_MAX / 4), "1234");
  EXPECT_EQ(this->seqs_after(1, 3, SIZE_MAX / 4), "23");
  EXPECT_EQ(this->seqs_after(0, 4, 2500), "12");
  EXPECT_EQ(this->seqs_after(2, 4, 1), "3") << "one at least";
  EXPECT_EQ(this->seqs_after(4, 9, 100), "");
  EXPECT_TRUE(this->loop.block_on(this->store->events("c9", 0, UINT64_MAX, 0))->empty());
}

TYPED_TEST_P(StoreSuite, EventTextsAreTheJsonOfTheEvents) { compare_texts(this->loop, *this->store); }

TYPED_TEST_P(StoreSuite, CommitIsAtomic) {
  ASSERT_TRUE(this->commit({.conversation = conversation("c1"), .events_of = "c1", .events = {text(1)}}));
  const auto gap =
      this->commit({.conversation = conversation("c2"), .events_of = "c1", .events = {text(3)}, .rules = {{.id = "r"}}});
  ASSERT_FALSE(gap);
  EXPECT_EQ(gap.error().code, Errc::internal);
  EXPECT_EQ(this->commit({.events_of = "c9", .events = {text(1)}}).error().code, Errc::not_found);
  EXPECT_FALSE(this->commit({.events_of = "c1", .events = {text(2), text(4)}}));
  EXPECT_EQ(this->load().conversations.size(), 1U);
  EXPECT_TRUE(this->load().rules.empty());
  EXPECT_TRUE(this->commit({.events_of = "c1", .events = {text(2)}}));
}

// The database refuses a duplicate id in the middle of the commit.
TYPED_TEST_P(StoreSuite, RefusedCommitHasNoEffect) {
  ASSERT_TRUE(this->commit({.conversation = conversation("c1"), .rules = {{.id = "r1"}}}));
  EXPECT_FALSE(this->commit({.events_of = "c1", .events = {text(1)}, .rules = {{.id = "r2"}, {.id = "r1"}}}));
  EXPECT_EQ(this->seqs(0, UINT64_MAX, 0), "");
  EXPECT_EQ(this->load().rules.size(), 1U);
  EXPECT_TRUE(this->commit({.events_of = "c1", .events = {text(1)}}));
}

TYPED_TEST_P(StoreSuite, KeepsAttachmentsWithTheirBytesAsLongAsTheirConversation) {
  using namespace hub;
  const std::string data("\x89PNG\0\xff\\x", 8);
  ASSERT_TRUE(
      this->commit({.conversation = conversation("c1"),
                    .events_of = "c1",
                    .attachments = {{.about = {.id = "a1", .media_type = "image/png", .name = "n", .bytes = 8}, .data = data},
                                    {.about = {.id = "a2", .media_type = "image/png", .url = "https://x/y"}}}}));
  this->open_again();
  const auto attachment = this->loop.block_on(this->store->attachment("a1"));
  ASSERT_TRUE(attachment && *attachment);
  EXPECT_EQ((*attachment)->data, data);
  EXPECT_EQ((*attachment)->about, (AttachmentInfo{.id = "a1", .media_type = "image/png", .name = "n", .bytes = 8}));
  EXPECT_EQ((*this->loop.block_on(this->store->attachment("a2")))->about.url, "https://x/y");
  EXPECT_FALSE(*this->loop.block_on(this->store->attachment("a3")));
  ASSERT_TRUE(this->commit({.events_of = "c1", .removed_attachments = {"a2"}}));
  EXPECT_FALSE(*this->loop.block_on(this->store->attachment("a2")));
  EXPECT_TRUE(*this->loop.block_on(this->store->attachment("a1")));
  ASSERT_TRUE(this->loop.block_on(this->store->remove_conversation("c1")));
  EXPECT_FALSE(*this->loop.block_on(this->store->attachment("a1")));
}

TYPED_TEST_P(StoreSuite, RemovalDeletesOnlyTheConversationsRows) {
  using namespace hub;
  ASSERT_TRUE(this->commit({.conversation = conversation("c1"),
                            .events_of = "c1",
                            .events = {text(1)},
                            .asks = {{.id = "a1", .conversation = "c1"}},
                            .rules = {{.id = "r1", .conversation = "c1"}, {.id = "r2"}}}));
  ASSERT_TRUE(this->loop.block_on(this->store->remove_conversation("c1")));
  ASSERT_TRUE(this->loop.block_on(this->store->remove_conversation("c1"))) << "twice is once";
  EXPECT_TRUE(this->load().conversations.empty());
  EXPECT_TRUE(this->load().asks.empty());
  EXPECT_EQ(this->load().rules.size(), 1U);
  EXPECT_EQ(this->seqs(0, UINT64_MAX, 0), "");
}

TYPED_TEST_P(StoreSuite, RulesAreUpdatedAndRevokedWithoutAConversation) {
  using namespace hub;
  ASSERT_TRUE(this->commit({.conversation = conversation("c1"), .rules = {{.id = "r1", .label = "one"}, {.id = "r2"}}}));
  ASSERT_TRUE(this->commit({.events_of = "c1", .used_rules = {{.id = "r1", .label = "one", .uses = 3}, {.id = "gone"}}}));
  EXPECT_EQ(this->load().rules.back().uses, 3U);
  ASSERT_TRUE(this->commit({.removed_rules = {"r1"}}));
  ASSERT_EQ(this->load().rules.size(), 1U);
  EXPECT_EQ(this->load().rules[0].id, "r2");
}

TYPED_TEST_P(StoreSuite, CommitsOfManyConversationsAtOnceEachCountOnce) {
  std::vector<Task<Result<void>>> writing;
  for (int i = 0; i < 40; ++i)
    writing.push_back(this->store->commit(
        {.conversation = conversation("c" + std::to_string(i)), .events_of = "c" + std::to_string(i), .events = {text(1)}}));
  for (auto& task : writing) ASSERT_TRUE(this->loop.block_on(std::move(task)));
  std::vector<std::unique_ptr<Result<void>>> outcomes;
  const auto keep = [](Task<Result<void>> task, Result<void>& into) -> Task<void> { into = co_await std::move(task); };
  {
    Scope scope(this->loop);
    for (int i = 0; i < 40; ++i) {
      outcomes.push_back(std::make_unique<Result<void>>());
      // Every fourth commit has a gap: the store refuses only this one.
      scope.start(keep(this->store->commit({.events_of = "c" + std::to_string(i), .events = {text(i % 4 == 0 ? 7 : 2)}}),
                       *outcomes.back()));
    }
    this->loop.block_on(scope.join());
  }
  for (int i = 0; i < 40; ++i) EXPECT_EQ(outcomes[i]->has_value(), i % 4 != 0) << i;
  for (const hub::PackedConversation& packed : this->load().conversations) {
    const hub::Conversation conversation = packed.unpack();
    EXPECT_EQ(conversation.last_seq, std::stoi(conversation.id.substr(1)) % 4 == 0 ? 1U : 2U) << conversation.id;
  }
}

TYPED_TEST_P(StoreSuite, UseIsSummedByDayAndConversationAndLimitsAreKept) {
  using namespace hub;
  const Spent spent{.turns = 1, .input_tokens = 10, .output_tokens = 2, .costs = {{.amount = 0.5, .currency = "EUR"}}};
  ASSERT_TRUE(
      this->commit({.conversation = conversation("c1"), .spent = {{.day = "2026-01-01", .conversation = "c1", .spent = spent}}}));
  ASSERT_TRUE(this->commit({.events_of = "c1",
                            .spent = {{.day = "2026-01-01", .conversation = "c1", .spent = spent},
                                      {.day = "2026-01-02", .conversation = "c1", .spent = spent}},
                            .limits = SpendingLimits{.day_tokens = 7}}));
  this->open_again();
  EXPECT_EQ(this->stored.limits.day_tokens, 7U);
  const auto all = this->loop.block_on(this->store->spent(""));
  ASSERT_TRUE(all) << all.error().message;
  ASSERT_EQ(all->size(), 2U);
  EXPECT_EQ((*all)[0].spent.input_tokens, 20U);
  EXPECT_EQ((*all)[0].spent.cost_in("EUR"), 1.0);
  EXPECT_EQ((*all)[1].spent, spent);
  const auto later = this->loop.block_on(this->store->spent("2026-01-02"));
  EXPECT_EQ(later->size(), 1U);
  const auto sum = this->loop.block_on(this->store->spent_in("c1"));
  ASSERT_TRUE(sum) << sum.error().message;
  EXPECT_EQ(sum->turns, 3U);
  EXPECT_EQ(sum->cost_in("EUR"), 1.5);
  EXPECT_TRUE(this->loop.block_on(this->store->spent_in("c2"))->empty());
}

inline std::vector<hub::Event> turn_of(std::uint64_t first, std::string prompt, std::string answer) {
  std::vector<hub::Event> events{text(first), text(first + 1), text(first + 2), text(first + 3)};
  events[0].body = hub::event::TurnStart{.turn = "t"};
  events[1].body = hub::event::UserMessage{.turn = "t", .text = std::move(prompt)};
  events[2].body = hub::event::Text{.text = std::move(answer)};
  events[3].body = hub::event::TurnEnd{.turn = "t"};
  return events;
}

// "c1:1-4 …", newest first.
template <class Suite>
std::string parts(Suite& suite, const std::string& words, std::size_t limit = 100) {
  std::string line;
  std::uint64_t before = 0;
  do {
    const auto found = suite.loop.block_on(suite.store->parts_with(words, before, limit));
    EXPECT_TRUE(found) << found.error().message;
    if (!found) return line;
    for (const hub::LogPart& part : found->parts)
      line += (line.empty() ? "" : " ") + part.conversation + ":" + std::to_string(part.first) + "-" + std::to_string(part.last);
    before = found->before;
  } while (before != 0);
  return line;
}

// A store may index several turns at once: adds turns until a word of no turn finds no part.
template <class Suite>
void index_all(Suite& suite, const std::string& name) {
  for (int others = 0; !parts(suite, "nowhere").empty(); ++others) {
    ASSERT_LT(others, 100) << "the turns never enter the index";
    const std::string id = name + std::to_string(others);
    ASSERT_TRUE(suite.commit({.conversation = conversation(id), .events_of = id, .events = turn_of(1, "other", "words")}));
  }
}

TYPED_TEST_P(StoreSuite, IndexFindsTheTurnsWithTheWords) {
  ASSERT_TRUE(
      this->commit({.conversation = conversation("c1"), .events_of = "c1", .events = turn_of(1, "Why?", "A Race condition")}));
  index_all(*this, "a");
  ASSERT_TRUE(this->commit({.events_of = "c1", .events = turn_of(5, "用户喜欢什么", "100%_\\ \"tabs\"")}));
  ASSERT_TRUE(this->commit({.conversation = conversation("c2"), .events_of = "c2", .events = turn_of(1, "race", "tabs")}));
  index_all(*this, "b");
  EXPECT_EQ(parts(*this, "rAcE"), "c2:1-4 c1:1-4");
  EXPECT_EQ(parts(*this, "race", 1), "c2:1-4 c1:1-4") << "page by page";
  EXPECT_EQ(parts(*this, "race condition"), "c1:1-4");
  EXPECT_EQ(parts(*this, "\"tabs\""), "c1:5-8");
  EXPECT_EQ(parts(*this, "喜欢"), "c1:5-8");
  // Too short for every index: a store may offer more parts.
  EXPECT_NE(parts(*this, "%_").find("c1:5-8"), std::string::npos);
  this->open_again();
  EXPECT_EQ(parts(*this, "tabs"), "c2:1-4 c1:5-8");
}

TYPED_TEST_P(StoreSuite, IndexCoversATurnOfSeveralCommitsAndARunningTurn) {
  std::vector<hub::Event> turn = turn_of(1, "please", "con");
  turn[3].body = hub::event::Text{.text = "dition"};
  ASSERT_TRUE(this->commit({.conversation = conversation("c1"), .events_of = "c1", .events = turn}));
  EXPECT_EQ(parts(*this, "nowhere"), "c1:1-4") << "a running turn: its log decides";
  this->open_again();
  hub::Event end = text(5);
  end.body = hub::event::TurnEnd{.turn = "t"};
  ASSERT_TRUE(this->commit({.events_of = "c1", .events = {end}}));
  EXPECT_EQ(parts(*this, "condition"), "c1:1-5");
  index_all(*this, "a");
  EXPECT_EQ(parts(*this, "condition"), "c1:1-5");
}

TYPED_TEST_P(StoreSuite, IndexForgetsClearedAndRemovedTexts) {
  ASSERT_TRUE(this->commit({.conversation = conversation("c1"), .events_of = "c1", .events = turn_of(1, "secret", "yes")}));
  hub::Event cleared = text(5);
  cleared.body = hub::event::Cleared{};
  ASSERT_TRUE(this->commit({.events_of = "c1", .events = {cleared}}));
  EXPECT_EQ(parts(*this, "secret"), "");
  ASSERT_TRUE(this->commit({.events_of = "c1", .events = turn_of(6, "secret", "no")}));
  EXPECT_EQ(parts(*this, "secret"), "c1:6-9");
  ASSERT_TRUE(this->loop.block_on(this->store->remove_conversation("c1")));
  EXPECT_EQ(parts(*this, "secret"), "");
}

// A slow store receives the end of a turn and a clear in one commit.
TYPED_TEST_P(StoreSuite, IndexForgetsATurnThatIsClearedInItsCommit) {
  std::vector<hub::Event> events = turn_of(1, "secret", "yes");
  hub::Event cleared = text(5);
  cleared.body = hub::event::Cleared{};
  events.push_back(cleared);
  ASSERT_TRUE(this->commit({.conversation = conversation("c1"), .events_of = "c1", .events = events}));
  EXPECT_EQ(parts(*this, "secret"), "");
}

TYPED_TEST_P(StoreSuite, VeryLongTurnsStayFindable) {
  ASSERT_TRUE(this->commit(
      {.conversation = conversation("c1"), .events_of = "c1", .events = turn_of(1, "needle", std::string(300'000, 'x'))}));
  EXPECT_EQ(parts(*this, "needle"), "c1:1-4");
  ASSERT_TRUE(this->loop.block_on(this->store->remove_conversation("c1")));
  EXPECT_EQ(parts(*this, "needle"), "");
}

// The session of an unfinished adoption existed before its conversation, so the runner keeps the session.
TYPED_TEST_P(StoreSuite, RemovalRecordsTheUnusedSessionOnARunner) {
  const auto remove = [&](const std::string& id, std::optional<std::string> via) {
    hub::Conversation row = *conversation(id);
    row.runner = "laptop";
    row.title = std::string("a\0b", 3);  // PostgreSQL's own JSON functions refuse this character
    row.agent_session = {.id = "session of " + id};
    row.via = std::move(via);
    ASSERT_TRUE(this->commit({.conversation = std::make_shared<const hub::Conversation>(std::move(row))}));
    ASSERT_TRUE(this->loop.block_on(this->store->remove_conversation(id)));
  };
  remove("c1", std::nullopt);
  remove("c2", std::string(hub::via_adoption));
  const auto unused = this->loop.block_on(this->store->unused_sessions("laptop"));
  ASSERT_TRUE(unused) << unused.error().message;
  EXPECT_EQ(*unused, std::vector<std::string>{"session of c1"});
}

REGISTER_TYPED_TEST_SUITE_P(StoreSuite, RemovalRecordsTheUnusedSessionOnARunner, IndexFindsTheTurnsWithTheWords,
                            IndexCoversATurnOfSeveralCommitsAndARunningTurn, IndexForgetsClearedAndRemovedTexts,
                            IndexForgetsATurnThatIsClearedInItsCommit, VeryLongTurnsStayFindable,
                            KeepsConversationsEventsAsksAndRules, EventsAreReadFromBothEnds, EventTextsAreTheJsonOfTheEvents,
                            CommitIsAtomic, RefusedCommitHasNoEffect, KeepsAttachmentsWithTheirBytesAsLongAsTheirConversation,
                            RemovalDeletesOnlyTheConversationsRows, RulesAreUpdatedAndRevokedWithoutAConversation,
                            CommitsOfManyConversationsAtOnceEachCountOnce, UseIsSummedByDayAndConversationAndLimitsAreKept);

}  // namespace parlance::store::test
