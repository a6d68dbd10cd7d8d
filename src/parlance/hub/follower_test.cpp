// SPDX-License-Identifier: Apache-2.0
// Reading one conversation: every event once and in order, with slow readers and bounded memory.
#include "parlance/hub/follower.h"

#include <random>

#include <gtest/gtest.h>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/test_support.h"

namespace parlance::hub {
namespace {

using namespace std::chrono_literals;
using test::Bench;

struct Following : Bench {
  Following() { id = conversation(); }
  // The result of one call; empty when the call would wait.
  std::optional<Result<Follower::Batch>> ask(Follower& follower) {
    std::optional<Result<Follower::Batch>> batch;
    const auto run = [](Follower& from, std::optional<Result<Follower::Batch>>& into) -> Task<void> {
      into = co_await from.next();
    };
    Scope scope(loop);
    scope.start(run(follower, batch));
    loop.run_ready();
    return batch;
  }
  // Numbers of all available events.
  std::vector<std::uint64_t> drain(Follower& follower) {
    std::vector<std::uint64_t> seqs;
    for (;;) {
      const auto batch = ask(follower);
      if (!batch || !*batch) return seqs;
      for (const EventPtr& event : (*batch)->events) seqs.push_back(event->seq);
    }
  }
  void talk(std::vector<std::size_t> sizes) {
    script = [sizes = std::move(sizes)](Turn& turn, Prompt) -> Task<Result<StopReason>> {
      for (const std::size_t size : sizes) {
        turn.emit(event::ToolStart{.call = "c", .tool = "t"});
        turn.emit(event::ToolOutput{.call = "c", .text = std::string(size, 'x')});
        turn.emit(event::ToolEnd{.call = "c"});
        while (turn.congested())
          if (!co_await turn.written()) break;
      }
      co_return StopReason::end_turn;
    };
    prompt(id);
    loop.advance(100ms);
  }
  std::uint64_t last() const { return store.logs.at(id).size(); }
  std::string id;
};

std::vector<std::uint64_t> from_to(std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t seq = first; seq <= last; ++seq) all.push_back(seq);
  return all;
}

// A client reconnects with events that its new gateway does not know yet. The simulator found the fault: events stayed in memory,
// and a later follower received newer events behind a gap.
TEST(Follower, AFollowerAheadOfTheHubLeavesNoEventsInMemory) {
  Following bench;
  {
    Follower ahead(*bench.hub, bench.id, 2);
    bench.talk({10});
    EXPECT_EQ(bench.drain(ahead), from_to(3, bench.last()));
  }
  bench.talk({10});
  Follower later(*bench.hub, bench.id, 0);
  EXPECT_EQ(later.waiting(), 0U);
  bench.talk({10});
  EXPECT_EQ(bench.drain(later), from_to(1, bench.last()));
}

TEST(Follower, ReturnsOldEventsAndThenNewEvents) {
  Following bench;
  bench.talk({1});
  Follower all(*bench.hub, bench.id, 0);
  Follower some(*bench.hub, bench.id, 2);
  Follower live(*bench.hub, bench.id, bench.last());
  EXPECT_EQ(bench.drain(all), from_to(1, 6));
  EXPECT_EQ(bench.drain(some), from_to(3, 6));
  EXPECT_EQ(bench.drain(live), from_to(1, 0));
  bench.talk({1});
  EXPECT_EQ(bench.drain(all), from_to(7, 12));
  EXPECT_EQ(bench.drain(some), from_to(7, 12));
  EXPECT_EQ(bench.drain(live), from_to(7, 12));
  EXPECT_EQ(live.position(), 12U);
}

TEST(Follower, SeesOnlyWrittenEventsAndSetsWake) {
  Following bench;
  Signal wake(bench.loop);
  Follower follower(*bench.hub, bench.id, 0, &wake);
  bool woken = false;
  const auto wait = [](Signal& signal, bool& done) -> Task<void> {
    co_await signal.wait();
    done = true;
  };
  const auto say = [](Hub& hub, std::string to) -> Task<void> {
    (void)co_await hub.submit(std::move(to), SendPrompt{.text = "hi"});
  };
  Scope scope(bench.loop);
  scope.start(wait(wake, woken));
  bench.store.held = true;
  scope.start(say(*bench.hub, bench.id));
  bench.loop.advance(1s);
  EXPECT_FALSE(follower.ready() || woken);
  bench.store.held = false;
  bench.store.changed.notify_all();
  bench.loop.advance(1s);
  EXPECT_TRUE(follower.ready() && woken);
}

TEST(Follower, WaitingFollowerGetsHugeEventsWithoutACopy) {
  Following bench;
  Follower follower(*bench.hub, bench.id, 0);
  Follower other(*bench.hub, bench.id, 0);
  std::vector<EventPtr> big;
  const auto collect = [](Follower& from, std::vector<EventPtr>& into) -> Task<void> {
    while (const auto batch = co_await from.next())
      for (const EventPtr& event : batch->events)
        if (const auto* output = std::get_if<event::ToolOutput>(&event->body); output != nullptr) into.push_back(event);
  };
  Scope scope(bench.loop);
  scope.start(collect(follower, big));
  scope.start(collect(other, big));
  for (const std::size_t size : {9 << 20, 60 << 20}) {
    bench.script = [&, size](Turn& turn, Prompt) -> Task<Result<StopReason>> {
      co_await sleep_for(bench.loop, 1ms);  // meanwhile both followers wait
      turn.emit(event::ToolOutput{.call = "c", .text = std::string(size, 'x')});
      co_return StopReason::end_turn;
    };
    bench.prompt(bench.id);
    bench.loop.advance(100ms);
  }
  EXPECT_EQ(bench.store.forward_reads, 0);
  ASSERT_EQ(big.size(), 4U);
  EXPECT_EQ(std::get<event::ToolOutput>(big[2]->body).text.size(), 60U << 20);
  EXPECT_EQ(big[0].get(), big[1].get());
  EXPECT_EQ(big[2].get(), big[3].get());
}

TEST(Follower, PausedFollowerLosesNoEventsAndHoldsLittle) {
  Following bench;
  Follower follower(*bench.hub, bench.id, 0);
  for (int turn = 0; turn < 5; ++turn) {
    bench.talk({9 << 20, 60 << 20, 1});
    bench.loop.advance(12s);
    EXPECT_LE(follower.waiting(), follower_events);
  }
  bench.talk(std::vector<std::size_t>(3000, 5000));
  EXPECT_EQ(follower.waiting(), 0U);  // outside the tail: the store has the events
  EXPECT_EQ(bench.drain(follower), from_to(1, bench.last()));
  bench.talk({1});
  const int reads = bench.store.forward_reads;
  EXPECT_EQ(bench.drain(follower), from_to(bench.last() - 5, bench.last()));
  EXPECT_EQ(bench.store.forward_reads, reads);  // no further reads: back inside the tail
}

TEST(Follower, CallReturnsAPartOrASingleEvent) {
  Following bench;
  bench.talk({3 << 20, 400 << 10, 400 << 10, 400 << 10, 400 << 10});
  Follower follower(*bench.hub, bench.id, 0);
  std::size_t seen = 0;
  while (const auto batch = bench.ask(follower)) {
    ASSERT_TRUE(*batch);
    std::size_t bytes = 0;
    for (const EventPtr& event : (*batch)->events) bytes += weight_of(event->body);
    EXPECT_TRUE(bytes <= follower_read_bytes || (*batch)->events.size() == 1) << bytes;
    seen += (*batch)->events.size();
  }
  EXPECT_EQ(seen, bench.last());
}

TEST(Follower, APersonMayThinkForAnHour) {
  Following bench;
  bench.script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    for (int i = 0; i < 3000; ++i) turn.emit(event::Usage{.input_tokens = 1});
    const auto answer = co_await turn.ask({.title = "t", .options = {{.id = "yes", .kind = OptionKind::allow_once}}});
    if (!answer) co_return std::unexpected(answer.error());
    for (int i = 0; i < 3000; ++i) turn.emit(event::Usage{.input_tokens = 2});
    co_return StopReason::end_turn;
  };
  Follower follower(*bench.hub, bench.id, 0);
  bench.prompt(bench.id);
  bench.loop.advance(100ms);
  std::vector<std::uint64_t> seqs = bench.drain(follower);
  bench.loop.advance(1h);
  ASSERT_TRUE(bench.answer(open_asks(*bench.hub).front(), "yes"));
  bench.loop.advance(1h);  // the frontend is busy
  for (const std::uint64_t seq : bench.drain(follower)) seqs.push_back(seq);
  EXPECT_EQ(seqs, from_to(1, bench.last()));
}

TEST(Follower, TheRowComesWithTheLastOfItsEvents) {
  Following bench;
  Follower follower(*bench.hub, bench.id, 0);
  bench.talk({9 << 20, 9 << 20});
  std::uint64_t seen = 0;
  while (const auto batch = bench.ask(follower)) {
    ASSERT_TRUE(*batch);
    if (!(*batch)->events.empty()) seen = (*batch)->events.back()->seq;
    EXPECT_EQ((*batch)->conversation != nullptr, seen == bench.last());
    if ((*batch)->conversation) EXPECT_EQ((*batch)->conversation->state, ConversationState::idle);
  }
  const std::string title = bench.hub->find(bench.id)->title;
  ASSERT_TRUE(bench.loop.block_on(
      bench.hub->submit(bench.id, ChangeSettings{{.title = title}})));  // without an event: `set` changes only the row
  const auto batch = bench.ask(follower);
  ASSERT_TRUE(batch && *batch);
  EXPECT_TRUE((*batch)->events.empty());
  EXPECT_TRUE((*batch)->conversation->named);
}

TEST(Follower, ReportsARemovedConversation) {
  Following bench;
  Follower never(*bench.hub, "conv_none", 0);
  EXPECT_EQ(bench.ask(never)->error().code, Errc::not_found);
  Follower follower(*bench.hub, bench.id, 0);
  std::optional<Errc> error;
  const auto wait = [](Follower& from, std::optional<Errc>& into) -> Task<void> {
    for (;;)
      if (const auto batch = co_await from.next(); !batch) co_return static_cast<void>(into = batch.error().code);
  };
  Scope scope(bench.loop);
  scope.start(wait(follower, error));
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(bench.id, RemoveConversation{})));
  bench.loop.run_ready();
  EXPECT_EQ(error, Errc::not_found);

  const std::string other = bench.conversation();
  Follower survivor(*bench.hub, other, 0);
  bench.hub.reset();
  EXPECT_EQ(bench.ask(survivor)->error().code, Errc::not_found);
}

TEST(Follower, ReadFailureIsAnErrorWithoutLoss) {
  Following bench;
  bench.talk({1});
  Follower follower(*bench.hub, bench.id, 0);
  bench.store.unreadable = true;
  EXPECT_EQ(bench.ask(follower)->error().code, Errc::failed);
  bench.store.unreadable = false;
  EXPECT_EQ(bench.drain(follower), from_to(1, 6));
}

// Turns of all sizes, calls at any time, some calls destroyed while they wait or read.
TEST(Follower, NoEventIsLostOrDoubledUnderAnyInterleaving) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto dice = [&](std::size_t most) { return std::uniform_int_distribution<std::size_t>(0, most)(random); };
    Following bench;
    Follower follower(*bench.hub, bench.id, 0);
    std::vector<std::uint64_t> seqs;
    for (int step = 0; step < 60; ++step) {
      bench.store.reads_held = false;
      bench.store.changed.notify_all();
      switch (dice(3)) {
        case 0: bench.talk(std::vector<std::size_t>(dice(20), std::size_t{1} << dice(20))); break;
        case 1: bench.store.reads_held = true; [[fallthrough]];
        default:
          if (const auto batch = bench.ask(follower); batch && *batch)
            for (const EventPtr& event : (*batch)->events) seqs.push_back(event->seq);
      }
    }
    bench.store.reads_held = false;
    bench.store.changed.notify_all();
    for (const std::uint64_t seq : bench.drain(follower)) seqs.push_back(seq);
    EXPECT_EQ(seqs, from_to(1, bench.last()));
  }
}

TEST(Follower, EventsThatAreGivenBackReturnWithTheRow) {
  Following bench;
  Follower follower(*bench.hub, bench.id, 0);
  bench.talk({1, 1});
  const auto batch = bench.ask(follower);
  ASSERT_TRUE(batch && *batch && (*batch)->conversation);
  follower.put_back(**batch, 2);
  const auto again = bench.ask(follower);
  ASSERT_TRUE(again && *again);
  EXPECT_EQ((*again)->events.front()->seq, 3U);
  EXPECT_EQ((*again)->events.back()->seq, bench.last());
  EXPECT_EQ((*again)->conversation, (*batch)->conversation);
  follower.put_back(**again, bench.last());
  EXPECT_EQ(follower.position(), bench.last());
}

}  // namespace
}  // namespace parlance::hub
