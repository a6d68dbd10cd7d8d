// SPDX-License-Identifier: Apache-2.0
// The page's contract (apps/web/src/protocol.ts), from the host's side: snapshot and deltas, slow pages, closed pages. Requests
// of pages: requests_test.cpp.
#include "parlance/face/page/hub_over_page.h"

#include <optional>

#include <gtest/gtest.h>

#include "parlance/face/page/limits.h"
#include "parlance/face/page/test_support.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/conversation/usage.h"
#include "parlance/hub/runtime/change.h"

namespace parlance::face {
namespace {

using namespace std::chrono_literals;
using hub::Prompt;
using hub::StopReason;
using hub::Turn;
using test::conversation_member;
using test::one_to;
using test::PageBench;
using test::TestPage;

// ---- following ---------------------------------------------------------------------------------------------------------

TEST(HubOverPage, SendsASnapshotOnlyAfterReady) {
  PageBench bench;
  const std::string id = bench.conversation();
  bench.ask(id);
  TestPage page(bench.loop, bench.server, *bench.hub);
  bench.loop.run_ready();
  EXPECT_TRUE(page.received.empty());

  page.ready();
  ASSERT_EQ(page.received.size(), 1U);
  const json::Value& snapshot = page.received[0];
  EXPECT_EQ(snapshot.text_or("version", ""), "1.2.3");
  EXPECT_EQ(snapshot.text_or("home", ""), "/home/ann");
  EXPECT_EQ(snapshot.text_or("default_folder", ""), "/home/ann/code");
  EXPECT_EQ(snapshot.integer_or("seq", -1), 0);
  ASSERT_EQ(snapshot.find("agents")->array()->size(), 1U);
  EXPECT_EQ((*snapshot.find("agents")->array())[0].text_or("id", ""), "scripted");
  ASSERT_TRUE(page.conversations.contains(id));
  EXPECT_EQ(page.conversations[id].text_or("state", ""), "waiting");
  EXPECT_EQ(page.conversations[id].find("agent_session"), nullptr) << "not for frontends";
  ASSERT_EQ(page.asks.size(), 1U);
  EXPECT_EQ(page.asks.begin()->second.text_or("state", ""), "open");
}

TEST(HubOverPage, EveryChangeIsADeltaWithoutAGap) {
  PageBench bench;
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  const std::string id = bench.conversation();
  bench.loop.advance(50ms);
  ASSERT_TRUE(page.conversations.contains(id));
  bench.talk(id);
  EXPECT_EQ(page.conversations[id].text_or("title", ""), "hello");
  EXPECT_EQ(page.conversations[id].integer_or("last_seq", 0), 4);
  EXPECT_TRUE(page.seqs.empty()) << "events of what it has not opened";
  bench.hub->service_changed({.name = "agent", .state = hub::Health::down, .detail = "gone"});
  bench.loop.advance(50ms);
  const json::Value& last = page.received.back();
  EXPECT_EQ(json::to_text(*last.find("ops")), R"([{"op":"service","service":{"name":"agent","state":"down","detail":"gone"}}])");
  EXPECT_EQ(page.gaps, 0U);
  EXPECT_EQ(page.count("snapshot"), 1U);
}

TEST(HubOverPage, ChangesAreBatchedAfterTheFirst) {
  PageBench bench;
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  bench.loop.advance(1s);
  for (int i = 0; i < 200; ++i) {
    bench.hub->service_changed({.name = "s", .state = hub::Health::ready, .detail = std::to_string(i)});
    bench.loop.advance(1ms);
    if (i == 0) EXPECT_EQ(page.count("delta"), 1U) << "an empty batch delays no page";
  }
  bench.loop.advance(50ms);
  EXPECT_EQ(page.gaps, 0U);
  EXPECT_GE(page.count("delta"), 12U);
  EXPECT_LE(page.count("delta"), 15U);
  EXPECT_EQ((*page.received.back().find("ops")->array()).back().find("service")->text_or("detail", ""), "199");
}

TEST(HubOverPage, AnOpenedConversationIsPageThenLiveEvents) {
  PageBench bench;
  const std::string id = bench.conversation();
  bench.talk(id);
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  const std::string opened = page.open(id);
  EXPECT_EQ(page.answer(opened).find("value")->integer_or("last_seq", 0), 4);
  EXPECT_EQ(page.answer(opened).find("value")->integer_or("first_seq", 0), 1);
  bench.talk(id);
  EXPECT_EQ(page.seqs[id], one_to(8));
  page.request("close", conversation_member(id));
  bench.talk(id);
  EXPECT_EQ(page.seqs[id], one_to(8)) << "closed";
  page.open(id);
  EXPECT_EQ(page.seqs[id], one_to(12));
}

// The same at any moment of a turn, and when reading from the store takes its time.
TEST(HubOverPage, ACursorAtAnyMomentGivesEveryEventOnce) {
  for (int moment = 0; moment < 40; ++moment) {
    PageBench bench;
    const std::string id = bench.conversation();
    bench.script = [&bench](Turn& turn, Prompt) -> Task<Result<StopReason>> {
      for (int i = 0; i < 10; ++i) {
        turn.emit(hub::event::Usage{.input_tokens = 1});
        co_await sleep_for(bench.loop, 3ms);
      }
      co_return StopReason::end_turn;
    };
    TestPage page(bench.loop, bench.server, *bench.hub);
    page.ready();
    bench.prompt(id);
    bench.loop.advance(std::chrono::milliseconds(moment));
    bench.store.reads_held = moment % 3 == 0;
    page.open(id);
    bench.loop.advance(7ms);
    bench.store.reads_held = false;
    bench.store.changed.notify_all();
    bench.loop.advance(200ms);
    EXPECT_EQ(page.seqs[id], one_to(13)) << "opened after " << moment << " ms";
    EXPECT_EQ(page.gaps, 0U);
  }
}

TEST(HubOverPage, ReconnectContinuesAtItsPosition) {
  PageBench bench;
  const std::string id = bench.conversation();
  std::optional<TestPage> page;
  page.emplace(bench.loop, bench.server, *bench.hub);
  page->ready();
  page->open(id);
  bench.talk(id);
  const auto before = page->seqs;
  page->hang_up();
  EXPECT_EQ(bench.server.statistics().pages, 0U);
  bench.talk(id);  // missed

  page.emplace(bench.loop, bench.server, *bench.hub);
  page->seqs = before;
  page->ready();
  page->open(id);
  bench.talk(id);
  EXPECT_EQ(page->seqs[id], one_to(12));
}

TEST(HubOverPage, TwoPagesStayInStep) {
  PageBench bench;
  TestPage first(bench.loop, bench.server, *bench.hub);
  TestPage second(bench.loop, bench.server, *bench.hub, {.one_byte_reads = true});
  first.ready();
  static_cast<void>(first.request("new", R"("agent":"unknown","folder":"/")"));
  bench.loop.advance(1ms);
  const std::string id = bench.conversation();
  bench.talk(id);
  second.ready();
  for (TestPage* page : {&first, &second}) page->open(id);
  bench.talk(id);
  bench.ask(id);
  EXPECT_EQ(first.seqs, second.seqs);
  EXPECT_EQ(first.seqs[id], one_to(bench.store.logs[id].size()));
  EXPECT_EQ(json::to_text(first.conversations[id]), json::to_text(second.conversations[id]));
  EXPECT_EQ(first.asks.size(), 1U);
  EXPECT_EQ(json::to_text(first.asks.begin()->second), json::to_text(second.asks.begin()->second));
}

TEST(HubOverPage, OlderEventsComeOnDemand) {
  PageBench bench;
  const std::string id = bench.conversation();
  for (int i = 0; i < 5; ++i) bench.talk(id);
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  const auto opened = page.request("open", conversation_member(id) + R"(,"after":0,"limit":5)");
  EXPECT_EQ(page.answer(opened).find("value")->integer_or("first_seq", 0), 16);
  const auto older = page.request("older", conversation_member(id) + R"(,"before":16,"limit":10)");
  EXPECT_EQ(page.answer(older).find("value")->integer_or("first_seq", 0), 6);
  EXPECT_EQ(page.answer(older).find("value")->find("events")->array()->size(), 10U);
  const auto oldest = page.request("older", conversation_member(id) + R"(,"before":1)");
  EXPECT_EQ(json::to_text(*page.answer(oldest).find("value")), R"({"events":[],"first_seq":1})");
  const auto nothing_new = page.request("open", conversation_member(id) + R"(,"after":20)");
  EXPECT_EQ(json::to_text(*page.answer(nothing_new).find("value")), R"({"events":[],"last_seq":20,"first_seq":21})");
}

TEST(HubOverPage, ManyConversationsComeInPages) {
  PageBench bench;
  std::vector<std::string> all;
  for (std::size_t i = 0; i < limits::page_conversations + 3; ++i) {
    all.push_back(bench.conversation());
    bench.loop.advance(1ms);
  }
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  EXPECT_EQ(page.conversations.size(), limits::page_conversations);
  EXPECT_FALSE(page.conversations.contains(all[2]));
  const std::string older(page.received.front().text_or("older", ""));
  const auto next = page.request("conversations", R"("limit":2,"before":")" + older + '"');
  const json::Value value = *page.answer(next).find("value");
  ASSERT_EQ(value.find("conversations")->array()->size(), 2U);
  EXPECT_EQ(value.find("conversations")->array()->front().text_or("id", ""), all[2]);
  const auto last = page.request("conversations", R"("before":")" + std::string(value.text_or("older", "")) + '"');
  EXPECT_EQ(page.answer(last).find("value")->find("conversations")->array()->front().text_or("id", ""), all[0]);
  EXPECT_EQ(page.answer(last).find("value")->find("older"), nullptr);
  EXPECT_EQ(page.code(page.request("conversations", R"("before":"")")), "invalid_params");
  page.send(R"({"type":"ready","conversations":[")" + all[1] + R"(","none"]})");
  EXPECT_EQ(page.conversations.size(), limits::page_conversations + 1);
  EXPECT_TRUE(page.conversations.contains(all[1]));
}

// ---- slow pages ----------------------------------------------------------------------------------------------------------

TEST(HubOverPage, SlowPageGetsANewSnapshot) {
  PageBench bench;
  const std::string id = bench.conversation();
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  page.open(id);
  page.pause();
  // More changes than a watcher holds, and none is read.
  for (std::size_t i = 0; i < limits::watcher_changes + 500; ++i) {
    bench.hub->service_changed({.name = "s", .state = hub::Health::ready, .detail = std::to_string(i) + std::string(4000, 'x')});
    bench.loop.advance(1ms);
  }
  bench.talk(id);
  EXPECT_EQ(page.count("snapshot"), 1U);
  page.go_on();
  for (int i = 0; i < 100; ++i) bench.loop.advance(20ms);
  EXPECT_EQ(page.count("snapshot"), 2U);
  EXPECT_LT(page.count("delta"), 300U) << "what was missed is not sent late";
  EXPECT_EQ(page.gaps, 0U);
  EXPECT_EQ(page.conversations[id].integer_or("last_seq", 0), 4);
  EXPECT_TRUE(page.seqs[id].empty());
  page.open(id);  // as the page does after a snapshot
  bench.talk(id);
  EXPECT_EQ(page.seqs[id], one_to(8));
}

TEST(HubOverPage, FloodOfRequestsStopsReadsFromThePage) {
  PageBench bench;
  const std::string id = bench.conversation();
  for (int i = 0; i < 60; ++i) {
    bench.script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
      turn.emit(hub::event::Text{.text = std::string(3000, 'x')});
      co_return StopReason::end_turn;
    };
    bench.prompt(id);
    bench.loop.advance(50ms);
  }
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  page.pause();
  const std::uint64_t before = bench.server.statistics().requests;
  for (int i = 0; i < 40; ++i) page.request("older", conversation_member(id) + R"(,"before":0,"limit":2000)");  // 180 KB each
  EXPECT_LT(bench.server.statistics().requests - before, 10U);
  page.go_on();
  bench.loop.advance(1s);
  for (int i = 1; i <= 40; ++i) ASSERT_EQ(page.answers_to(std::to_string(i)), 1U) << i;
}

TEST(HubOverPage, RunsABoundedNumberOfRequestsAndAnswersEachOnce) {
  PageBench bench;
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  const std::string id = bench.conversation();
  bench.store.held = true;
  std::vector<std::string> numbers;
  for (int i = 0; i < 200; ++i)
    numbers.push_back(page.request("set", conversation_member(id) + R"(,"title":"t)" + std::to_string(i) + '"'));
  EXPECT_EQ(bench.server.statistics().requests, 1 + limits::page_requests);
  EXPECT_EQ(page.count("done"), 0U);
  bench.store.held = false;
  bench.store.changed.notify_all();
  bench.loop.advance(1s);
  for (const std::string& number : numbers) ASSERT_EQ(page.answers_to(number), 1U);
  EXPECT_EQ(page.conversations[id].text_or("title", ""), "t199") << "in the order in which they were sent";
}

TEST(HubOverPage, APageMayGoAtAnyTime) {
  PageBench bench;
  const std::string id = bench.conversation();
  bench.store.reads_held = true;
  bench.store.held = true;
  auto page = std::make_unique<TestPage>(bench.loop, bench.server, *bench.hub);
  page->ready();
  page->open(id);
  page->request("prompt", conversation_member(id) + R"(,"text":"hi")");
  EXPECT_EQ(bench.server.statistics().pages, 1U);
  page->hang_up();
  EXPECT_EQ(bench.server.statistics().pages, 0U);
  bench.store.reads_held = bench.store.held = false;
  bench.store.changed.notify_all();
  bench.loop.advance(1s);
  EXPECT_EQ(bench.trace(id), "turn_start user turn_end") << "what it asked for goes on without it";
}

TEST(HubOverPage, SecondReadyDuringAnOpenRestarts) {
  PageBench bench;
  const std::string id = bench.conversation();
  bench.talk(id);
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  bench.store.reads_held = true;
  const auto early = page.open(id);
  page.ready();
  EXPECT_EQ(page.count("snapshot"), 2U);
  bench.store.reads_held = false;
  bench.store.changed.notify_all();
  bench.loop.advance(50ms);
  EXPECT_EQ(page.code(early), "cancelled");
  page.open(id);
  bench.talk(id);
  EXPECT_EQ(page.seqs[id], one_to(8));
  EXPECT_EQ(page.gaps, 0U);
}

// ---- texts shared by pages -----------------------------------------------------------------------------------------------

TEST(PageTexts, AreWrittenOnceForAllPagesAndBounded) {
  PageTexts texts;
  const auto change_with = [](std::string detail) {
    return std::make_shared<const hub::Change>(
        hub::change::ServiceChanged{.service = {.name = "s", .detail = std::move(detail)}});
  };
  const hub::ChangePtr change = change_with("x");
  const hub::ChangePtr another_page = change;
  const PageText text = texts.op(change);
  EXPECT_EQ(*text, R"({"op":"service","service":{"name":"s","state":"ready","detail":"x"}})");
  EXPECT_EQ(texts.op(change), text);
  std::vector<hub::ChangePtr> held;
  for (std::size_t i = 0; i < limits::page_change_texts; ++i) {
    held.push_back(change_with(std::to_string(i)));
    const hub::ChangePtr twice = held.back();
    texts.op(twice);
  }
  EXPECT_NE(texts.op(change), text) << "the oldest went";
  EXPECT_EQ(*texts.op(change), *text);
}

// A kind that this version cannot parse shows that the page gets the text of the store.
TEST(HubOverPage, OpenAndOlderReturnStoredText) {
  PageBench bench;
  bench.store.text_of = [](const hub::Event& event) {
    return R"({"seq":)" + std::to_string(event.seq) + R"(,"time":"t","kind":"of_tomorrow","b" : [1, "\u00e9"]})";
  };
  const std::string id = bench.conversation();
  bench.talk(id);
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  const std::string opened = page.request("open", conversation_member(id) + R"(,"after":0,"limit":2)");
  const std::string older = page.request("older", conversation_member(id) + R"(,"before":3,"limit":2)");
  EXPECT_EQ(json::to_text(page.answer(opened)),
            R"({"type":"done","request":")" + opened +
                R"(","value":{"events":[{"seq":3,"time":"t","kind":"of_tomorrow","b":[1,"é"]},)"
                R"({"seq":4,"time":"t","kind":"of_tomorrow","b":[1,"é"]}],"last_seq":4,"first_seq":3}})");
  EXPECT_EQ(json::to_text(page.answer(older)),
            R"({"type":"done","request":")" + older +
                R"(","value":{"events":[{"seq":1,"time":"t","kind":"of_tomorrow","b":[1,"é"]},)"
                R"({"seq":2,"time":"t","kind":"of_tomorrow","b":[1,"é"]}],"first_seq":1}})");
}

}  // namespace
}  // namespace parlance::face
