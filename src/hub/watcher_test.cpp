// Followers: nothing missed, nothing twice, and a slow one is told to start again.
#include <gtest/gtest.h>

#include "base/limits.h"
#include "hub/test_support.h"

namespace parlance::hub {
namespace {

using namespace std::chrono_literals;
using test::Bench;

// Takes all that is queued.
std::vector<ChangePtr> drain(Bench& bench, Watcher& watcher) {
  bench.loop.run_ready();
  if (watcher.queued() == 0) return {};
  return bench.loop.block_on(watcher.next());
}

std::vector<std::uint64_t> seqs(const std::vector<ChangePtr>& changes) {
  std::vector<std::uint64_t> all;
  for (const ChangePtr& change : changes)
    if (const auto* events = std::get_if<change::EventsAppended>(change.get()))
      for (const Event& event : events->events) all.push_back(event.seq);
  return all;
}

// Every prompt makes five events: turn_start, user_message, text, usage, turn_end.
struct Talking : Bench {
  Talking() {
    script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
      turn.emit(event::Text{.text = "a"});
      turn.emit(event::Usage{.input_tokens = 1});
      co_return StopReason::end_turn;
    };
    id = conversation();
  }
  void talk() {
    prompt(id);
    loop.advance(100ms);
  }
  std::string id;
};

TEST(Watcher, GetsWhatItMissedAndThenWhatFollows) {
  Talking bench;
  bench.talk();
  const auto watcher = bench.hub->watch();
  const auto page = bench.loop.block_on(watcher->open(bench.id, 2, 0));
  ASSERT_TRUE(page);
  EXPECT_EQ(page->first_seq, 3U);
  EXPECT_EQ(page->last_seq, 5U);
  EXPECT_EQ(page->events.size(), 3U);
  bench.talk();
  EXPECT_EQ(seqs(drain(bench, *watcher)), (std::vector<std::uint64_t>{6, 7, 8, 9, 10}));
}

TEST(Watcher, EventsThatComeWhileThePageIsReadFollowItOnce) {
  Talking bench;
  bench.talk();
  const auto watcher = bench.hub->watch();
  std::optional<Result<EventPage>> page;
  bench.store.reads_held = true;
  Scope scope(bench.loop);
  const auto open = [&]() -> Task<void> { page = co_await watcher->open(bench.id, 0, 0); };
  scope.start(open());
  bench.talk();
  EXPECT_TRUE(seqs(drain(bench, *watcher)).empty()) << "not before the page";
  EXPECT_FALSE(page);
  bench.store.reads_held = false;
  bench.store.changed.notify_all();
  bench.loop.run_ready();
  ASSERT_TRUE(page && *page);
  EXPECT_EQ((*page)->last_seq, 5U);
  EXPECT_EQ((*page)->events.size(), 5U);
  EXPECT_EQ(seqs(drain(bench, *watcher)), (std::vector<std::uint64_t>{6, 7, 8, 9, 10}));
}

TEST(Watcher, ACursorAtAnyMomentGivesEveryEventOnce) {
  for (int moment = 0; moment < 60; ++moment) {
    Talking bench;
    bench.script = [&](Turn& turn, Prompt) -> Task<Result<StopReason>> {
      for (int i = 0; i < 20; ++i) {
        turn.emit(event::Text{.text = std::to_string(i) + " "});
        co_await sleep_for(bench.loop, 7ms);
      }
      co_return StopReason::end_turn;
    };
    bench.prompt(bench.id);
    bench.loop.advance(std::chrono::milliseconds(moment * 3));
    const auto watcher = bench.hub->watch();
    const auto page = bench.loop.block_on(watcher->open(bench.id, 0, 0));
    ASSERT_TRUE(page);
    bench.loop.advance(1s);
    std::vector<std::uint64_t> all;
    for (const Event& event : page->events) all.push_back(event.seq);
    for (const std::uint64_t seq : seqs(drain(bench, *watcher))) all.push_back(seq);
    std::vector<std::uint64_t> expected(bench.store.logs[bench.id].size());
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = i + 1;
    EXPECT_EQ(all, expected) << "watching from " << moment * 3 << " ms on";
  }
}

TEST(Watcher, WhoOpensAgainGetsWhatWasQueuedWithThePageAndNotTwice) {
  Talking bench;
  const auto watcher = bench.hub->watch();
  ASSERT_TRUE(bench.loop.block_on(watcher->open(bench.id, 0, 0)));
  bench.talk();  // nobody takes it
  const auto page = bench.loop.block_on(watcher->open(bench.id, 0, 0));
  ASSERT_TRUE(page);
  EXPECT_EQ(page->events.size(), 5U);
  bench.talk();
  EXPECT_EQ(seqs(drain(bench, *watcher)), (std::vector<std::uint64_t>{6, 7, 8, 9, 10}));
}

TEST(Watcher, AClosedConversationIsSilentAndOthersAreNot) {
  Talking bench;
  const auto watcher = bench.hub->watch();
  ASSERT_TRUE(bench.loop.block_on(watcher->open(bench.id, 0, 0)));
  watcher->close(bench.id);
  bench.talk();
  const auto changes = drain(bench, *watcher);
  EXPECT_TRUE(seqs(changes).empty());
  EXPECT_FALSE(changes.empty()) << "it still hears that the conversation ran";
}

TEST(Watcher, ASlowOneIsToldToStartAgainAndNobodyWaits) {
  Talking bench;
  const auto slow = bench.hub->watch();
  const auto quick = bench.hub->watch();
  ASSERT_TRUE(bench.loop.block_on(slow->open(bench.id, 0, 0)));
  ASSERT_TRUE(bench.loop.block_on(quick->open(bench.id, 0, 0)));
  std::size_t heard = 0;
  for (int i = 0; i < 600; ++i) {
    bench.talk();
    heard += seqs(drain(bench, *quick)).size();
  }
  EXPECT_EQ(heard, 3000U);
  EXPECT_EQ(slow->queued(), 1U);
  const auto changes = drain(bench, *slow);
  EXPECT_TRUE(std::holds_alternative<change::Resync>(*changes.at(0)));
  EXPECT_GE(bench.hub->statistics().resyncs, 1U);
  // From the new snapshot on it follows again.
  const auto page = bench.loop.block_on(slow->open(bench.id, 2990, 0));
  EXPECT_EQ(page->events.size(), 10U);
  bench.talk();
  EXPECT_EQ(seqs(drain(bench, *slow)).size(), 5U);
}

TEST(Watcher, AFewHugeEventsOverflowTooNotOnlyMany) {
  Talking bench;
  bench.script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    turn.emit(event::ToolEnd{.call = "c", .diff = Diff{.path = "p", .after = std::string(3 << 20, 'x')}});
    co_return StopReason::end_turn;
  };
  const auto watcher = bench.hub->watch();
  ASSERT_TRUE(bench.loop.block_on(watcher->open(bench.id, 0, 0)));
  for (int i = 0; i < 4; ++i) bench.talk();
  EXPECT_TRUE(std::holds_alternative<change::Resync>(*drain(bench, *watcher).at(0)));
}

TEST(Watcher, HearsOfAsksRulesAgentsServicesAndRemovals) {
  Talking bench;
  bench.script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    (void)co_await turn.ask(
        {.tool = "run",
         .intent = ToolIntent{.kind = ToolKind::execute, .title = "git log", .command = "git log", .look = CommandLook{}}});
    co_return StopReason::end_turn;
  };
  const auto watcher = bench.hub->watch();
  bench.prompt(bench.id);
  bench.loop.run_ready();
  const Ask ask = bench.hub->snapshot().asks.at(0);
  ASSERT_TRUE(bench.answer(ask, "allow_folder"));
  bench.loop.run_ready();
  bench.hub->service_changed({.name = "agent", .state = Health::down, .detail = "restarting"});
  bench.hub->agent_changed({.id = "scripted", .state = Health::starting});
  const std::string rule = bench.hub->rules().at(0).id;
  ASSERT_TRUE(bench.loop.block_on(bench.hub->revoke(rule)));
  ASSERT_TRUE(bench.loop.block_on(bench.hub->remove(bench.id)));
  std::string kinds;
  for (const ChangePtr& change : drain(bench, *watcher)) kinds += "CxEARrTSX"[change->index()];  // in the order of Change
  EXPECT_NE(kinds.find("A"), std::string::npos) << kinds;
  EXPECT_NE(kinds.find("R"), std::string::npos) << kinds;
  EXPECT_NE(kinds.find("ST"), std::string::npos) << kinds;
  EXPECT_NE(kinds.find("r"), std::string::npos) << kinds;
  EXPECT_EQ(kinds.back(), 'x') << kinds;
}

TEST(Watcher, MayOutliveTheHub) {
  Talking bench;
  const auto watcher = bench.hub->watch();
  bench.hub.reset();
  EXPECT_EQ(bench.loop.block_on(watcher->open(bench.id, 0, 0)).error().code, Errc::not_found);
}

TEST(Watcher, OlderPagesLeadBackToTheBeginning) {
  Talking bench;
  for (int i = 0; i < 5; ++i) bench.talk();
  auto page = *bench.loop.block_on(bench.hub->older(bench.id, 0, 10));
  EXPECT_EQ(page.first_seq, 16U);
  page = *bench.loop.block_on(bench.hub->older(bench.id, page.first_seq, 10));
  EXPECT_EQ(page.first_seq, 6U);
  page = *bench.loop.block_on(bench.hub->older(bench.id, page.first_seq, 10));
  EXPECT_EQ(page.first_seq, 1U);
  EXPECT_EQ(page.events.size(), 5U);
  page = *bench.loop.block_on(bench.hub->older(bench.id, page.first_seq, 10));
  EXPECT_TRUE(page.events.empty());
}

}  // namespace
}  // namespace parlance::hub
