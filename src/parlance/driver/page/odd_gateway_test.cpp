// SPDX-License-Identifier: Apache-2.0
// A hub at a gateway that sends unreadable parts, another conversation, or nothing. Each message of the gateway is the test's own.
#include <gtest/gtest.h>

#include "parlance/driver/page/remote_hub.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/follower.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/memory.h"
#include "parlance/wire_form/event_tables.h"

namespace parlance::driver {
namespace {

class OddGatewayTest : public testing::Test {
 protected:
  OddGatewayTest() {
    GatewayStoreSettings settings;
    settings.connection = {.connect = [this] { return connect(); }, .changed = [](const Error*) {}};
    remote.emplace(loop, std::move(settings));
  }
  Task<Result<std::unique_ptr<Frames>>> connect() {
    auto [near, other] = memory_pair(loop, {});
    far = framed_stream(loop, std::move(other), line_framing());
    co_return framed_stream(loop, std::move(near), line_framing());
  }
  // The hub's first connection; the gateway has not answered yet.
  void begins() {
    scope.start([](RemoteHub& hub, auto& into) -> Task<void> { into = co_await hub.start(); }(*remote, started));
    loop.run_ready();
  }
  void send(std::string_view message) {
    ASSERT_TRUE(far->send(message));
    loop.run_ready();
  }
  static std::string snapshot(std::string_view conversations, std::string_view asks = "") {
    return R"({"type":"snapshot","seq":0,"version":"9","capabilities":[],"home":"/","default_folder":"/",)"
           R"("attachment_limits":{"files":1,"bytes":1,"picture_bytes":1,"media_types":[]},"agents":[{"id":"new","name":7}],)"
           R"("services":[],"rules":[{}],"conversations":[)" +
           std::string(conversations) + R"(],"asks":[)" + std::string(asks) + "]}";
  }
  Loop loop{Loop::Time::virtual_};
  std::unique_ptr<Frames> far;
  std::optional<RemoteHub> remote;
  std::optional<Result<void>> started;
  Scope scope{loop};
};

TEST_F(OddGatewayTest, UnreadablePartsAreSkippedAndTheRestIsShown) {
  begins();
  send("not JSON at all");
  send(R"({"type":"news of a later version"})");
  const std::string good = wire_form::conversation_json({{.id = "c1", .agent = "a", .folder = "/"}});
  send(snapshot(R"({"id":3},)" + good, R"({"id":"ask"})"));
  ASSERT_TRUE(started && *started) << (started ? started->error().message : "waits");
  EXPECT_NE(remote->hub().find("c1"), nullptr);
  send(R"({"type":"delta","seq":1,"ops":[{"op":"events","conversation":"unknown","events":[{"seq":1}]}]})");
  send(R"({"type":"delta","seq":7,"ops":[]})");  // a gap: the next snapshot counts
  send(snapshot(good));
  EXPECT_NE(remote->hub().find("c1"), nullptr);
}

TEST_F(OddGatewayTest, AnotherConversationThanTheWantedOneIsNotFound) {
  begins();
  send(snapshot(""));
  ASSERT_TRUE(started && *started);
  std::optional<Result<void>> found;
  Scope looking(loop);
  looking.start([](hub::Hub& hub, auto& into) -> Task<void> { into = co_await hub.look_for("wanted"); }(remote->hub(), found));
  loop.run_ready();
  const std::string other = wire_form::conversation_json({{.id = "other", .agent = "a", .folder = "/"}});
  send(R"({"type":"done","request":"r1","value":{"conversation":)" + other + "}}");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->error().code, Errc::not_found);
}

TEST_F(OddGatewayTest, ASearchHasTheHitsOrTheErrorOfTheGateway) {
  begins();
  send(snapshot(""));
  ASSERT_TRUE(started && *started);
  std::optional<Result<std::vector<hub::SearchHit>>> hits;
  const auto search = [](RemoteHub& hub, auto& into) -> Task<void> { into = co_await hub.search("shed"); };
  Scope searching(loop);
  searching.start(search(*remote, hits));
  loop.run_ready();
  send(R"({"type":"done","request":"r1","value":{"hits":[{"conversation":"c1","seq":7,"snippet":"a shed"}]}})");
  ASSERT_TRUE(hits && *hits);
  ASSERT_EQ((*hits)->size(), 1U);
  EXPECT_EQ((*hits)->front().conversation, "c1");
  EXPECT_EQ((*hits)->front().seq, 7U);
  EXPECT_EQ((*hits)->front().snippet, "a shed");
  searching.start(search(*remote, hits));
  loop.run_ready();
  send(R"({"type":"failed","request":"r2","code":"denied","message":"no"})");
  ASSERT_FALSE(*hits);
  EXPECT_EQ(hits->error().code, Errc::denied);
}

// The state of a request may come in a later message than its event.
TEST_F(OddGatewayTest, TheEventsOfARequestOpenAndSettleTheRequest) {
  begins();
  send(snapshot(wire_form::conversation_json({{.id = "c1", .agent = "a", .folder = "/"}})));
  ASSERT_TRUE(started && *started);
  const hub::Follower follower(remote->hub(), "c1", 0);
  loop.run_ready();
  send(R"({"type":"done","request":"r1","value":{"events":[],"first_seq":0,"last_seq":0}})");
  const auto events = [](std::uint64_t seq, hub::EventBody body) {
    return R"({"type":"delta","seq":)" + std::to_string(seq) + R"(,"ops":[{"op":"events","conversation":"c1","events":[)" +
           wire_form::event_json({.seq = seq, .time = "2026-01-01T00:00:00Z", .body = std::move(body)}) + "]}]}";
  };
  const hub::Ask ask{.id = "ask_1", .conversation = "c1", .title = "a.txt", .digest = "d"};
  send(events(1, hub::event::ToolConfirmation{.ask = ask}));
  ASSERT_TRUE(follower.ready());
  ASSERT_NE(remote->hub().find_ask("ask_1"), nullptr);
  EXPECT_EQ(remote->hub().find_ask("ask_1")->digest, "d");
  send(events(2, hub::event::AskSettled{.ask = "ask_1", .chosen = "once", .by = "person"}));
  EXPECT_EQ(remote->hub().find_ask("ask_1"), nullptr);
  send(R"({"type":"delta","seq":3,"ops":[{"op":"ask","ask":)" + wire_form::ask_json(ask) + "}]}");
  EXPECT_EQ(remote->hub().find_ask("ask_1"), nullptr) << "an old state";
  ASSERT_NE(remote->copy().ask("ask_1"), nullptr);
  EXPECT_EQ(remote->copy().ask("ask_1")->chosen, "once");
}

TEST_F(OddGatewayTest, AConversationWithoutAFollowerIsClosedAtTheNextFollow) {
  begins();
  send(snapshot(wire_form::conversation_json({{.id = "c1", .agent = "a", .folder = "/"}}) + "," +
                wire_form::conversation_json({{.id = "c2", .agent = "a", .folder = "/"}})));
  ASSERT_TRUE(started && *started);
  { const hub::Follower first(remote->hub(), "c1", 0); }
  const hub::Follower second(remote->hub(), "c2", 0);
  const hub::Follower third(remote->hub(), "c2", 0);
  loop.run_ready();
  EXPECT_EQ(remote->copy().events("c1"), nullptr);
  EXPECT_NE(remote->copy().events("c2"), nullptr);
  const std::string all = loop.block_on([](Frames& gateway) -> Task<std::string> {
    std::string requests;
    if (const auto batch = co_await read_frames(gateway))
      for (const BytesView request : *batch) requests += request;
    co_return requests;
  }(*far));
  EXPECT_NE(all.find(R"({"type":"close","request":"r2","conversation":"c1"})"), std::string::npos) << all;
  EXPECT_EQ(all.find(R"("type":"close","request":"r3")"), std::string::npos) << all;
}

TEST_F(OddGatewayTest, ASilentGatewayFailsTheStartInTime) {
  begins();
  loop.advance(std::chrono::seconds(31));
  ASSERT_TRUE(started);
  EXPECT_EQ(started->error().code, Errc::deadline_exceeded);
}

}  // namespace
}  // namespace parlance::driver
