// SPDX-License-Identifier: Apache-2.0
// A hub at a gateway: a RemoteHub beside the gateway's hub and page server, on a virtual clock.
#include "parlance/driver/page/remote_hub.h"

#include <gmock/gmock.h>

#include "parlance/face/page/test_support.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/follower.h"
#include "parlance/hub/runtime/snapshot.h"

namespace parlance::driver {
namespace {

using hub::StopReason;
using testing::ElementsAre;
using testing::HasSubstr;

class RemoteHubTest : public testing::Test, public face::test::PageBench {
 protected:
  RemoteHubTest() {
    GatewayStoreSettings settings;
    settings.connection = {.connect = [this] { return connect(); },
                           .changed = [this](const Error* lost) { states.push_back(lost == nullptr ? "" : lost->message); }};
    remote.emplace(loop, std::move(settings));
  }
  ~RemoteHubTest() override { remote.reset(); }

  Task<Result<std::unique_ptr<Frames>>> connect() {
    ++attempts;
    if (refusal) co_return std::unexpected(*refusal);
    auto [near, far] = memory_pair(loop, options);
    auto frames = framed_stream(loop, std::move(near), line_framing());
    current = frames.get();
    if (!closes) server.serve(framed_stream(loop, std::move(far), line_framing()), hub::UserHub(*hub));
    co_return frames;
  }
  void start() { ASSERT_TRUE(loop.block_on(remote->start())); }
  hub::Hub& there() { return remote->hub(); }
  void pass(std::chrono::milliseconds time = std::chrono::milliseconds(50)) { loop.advance(time); }
  void cut() {
    current->close();
    pass();
  }
  // The text of the followed events.
  static std::string text_of(const std::vector<hub::EventPtr>& events) {
    std::string text;
    for (const hub::EventPtr& event : events)
      if (const auto* said = std::get_if<hub::event::Text>(&event->body)) text += said->text;
    return text;
  }
  std::vector<hub::EventPtr> all(hub::Follower& follower) {
    std::vector<hub::EventPtr> events;
    while (follower.ready()) {
      auto batch = loop.block_on(follower.next());
      if (!batch) break;
      events.insert(events.end(), batch->events.begin(), batch->events.end());
    }
    return events;
  }
  void says(const std::string& text) {
    script = [text](hub::Turn& turn, hub::Prompt) -> Task<Result<StopReason>> {
      turn.emit(hub::event::Text{.text = text});
      co_return StopReason::end_turn;
    };
  }

  MemoryOptions options{};
  std::optional<Error> refusal;
  bool closes = false;  // each connection at once
  int attempts = 0;
  Frames* current = nullptr;
  std::vector<std::string> states;
  std::optional<RemoteHub> remote;
};

TEST_F(RemoteHubTest, ShowsTheGatewaysConversationsAndAgents) {
  const std::string id = conversation(hub::Mode::plan);
  start();
  ASSERT_NE(there().find(id), nullptr);
  EXPECT_EQ(there().find(id)->mode, hub::Mode::plan);
  EXPECT_THAT(there().agents(), ElementsAre(testing::Field(&hub::AgentInfo::id, "scripted")));
  EXPECT_EQ(remote->copy().about().default_folder, "/home/ann/code");
  const std::string later = conversation();
  pass();
  EXPECT_NE(there().find(later), nullptr) << "created at the gateway";
}

TEST_F(RemoteHubTest, AnAgentThatTheNextSnapshotDoesNotListIsRemoved) {
  start();
  ASSERT_EQ(there().agents().size(), 1U);
  hub->remove_agent("scripted");
  cut();
  pass(std::chrono::seconds(15));
  EXPECT_THAT(there().agents(), testing::IsEmpty());
  EXPECT_THAT(remote->copy().agents(), testing::IsEmpty());
}

TEST_F(RemoteHubTest, APromptRunsAtTheGatewayAndItsEventsArriveOnce) {
  start();
  says("hello");
  const auto made = loop.block_on(there().create({.agent = "scripted", .folder = "/"}));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_NE(hub->find(made->id), nullptr) << "in the gateway's store";
  hub::Follower follower(there(), made->id, 0);
  const auto prompted = loop.block_on(there().submit(made->id, hub::SendPrompt{.text = "hi", .options = {.most_rounds = 3}}));
  ASSERT_TRUE(prompted) << prompted.error().message;
  EXPECT_NE(prompted->turn, "");
  pass();
  EXPECT_THAT(log.prompts, ElementsAre("hi"));
  const auto events = all(follower);
  EXPECT_EQ(events.size(), hub->find(made->id)->last_seq);
  for (std::size_t i = 0; i < events.size(); ++i) EXPECT_EQ(events[i]->seq, i + 1);
  EXPECT_EQ(text_of(events), "hello");
  EXPECT_EQ(std::get<hub::event::TurnStart>(events.front()->body).options->most_rounds, 3U);
}

TEST_F(RemoteHubTest, AnAttachmentReachesTheGateway) {
  const std::string id = conversation();
  start();
  const hub::Attachment file{.about = {.media_type = "text/plain", .name = "a.txt"}, .data = "its text"};
  ASSERT_TRUE(loop.block_on(there().submit(id, hub::SendPrompt{.text = "read", .attachments = {file}})));
  ASSERT_EQ(store.attachments.size(), 1U);
  EXPECT_EQ(store.attachments.begin()->second.data, "its text");
}

TEST_F(RemoteHubTest, MessagesOfOthersArriveAtOnce) {
  const std::string id = conversation();
  start();
  hub::Follower follower(there(), id, 0);
  says("for all");
  prompt(id, "of another page");
  pass();
  const auto events = all(follower);
  EXPECT_EQ(text_of(events), "for all");
}

TEST_F(RemoteHubTest, AnEditedAnswerDecidesAndReturnsTheSettledRequest) {
  const std::string id = conversation();
  start();
  ask(id);
  pass();
  ASSERT_EQ(open_asks(there()).size(), 1U);
  const hub::Ask open = open_asks(there()).front();
  hub::AnswerRequest wrong{.request = open.id, .answer = {.digest = "other", .option = "yes"}};
  EXPECT_FALSE(loop.block_on(there().submit(id, std::move(wrong)))) << "a digest of other content";
  hub::AnswerRequest right{.request = open.id, .answer = {.digest = open.digest, .option = "yes"}};
  const auto settled = loop.block_on(there().submit(id, std::move(right)));
  ASSERT_TRUE(settled) << settled.error().message;
  EXPECT_EQ(settled->state, hub::AskState::answered);
  EXPECT_EQ(settled->chosen, "yes");
  pass();
  EXPECT_TRUE(open_asks(there()).empty());
  EXPECT_EQ(trace(id), "turn_start user tool_start confirm settled:answered tool_end turn_end");
}

TEST_F(RemoteHubTest, SettingsReturnTheNewRow) {
  const std::string id = conversation();
  start();
  const auto set = loop.block_on(there().submit(id, hub::ChangeSettings{{.title = "New title", .mode = hub::Mode::plan}}));
  ASSERT_TRUE(set) << set.error().message;
  EXPECT_EQ(set->title, "New title");
  EXPECT_EQ(set->mode, hub::Mode::plan);
  const auto option = loop.block_on(there().submit(id, hub::SetOption{.option = "effort", .value = "high"}));
  ASSERT_TRUE(option) << option.error().message;
  const auto odd = loop.block_on(there().submit(id, hub::SetOption{.option = "effort", .value = "absurd"}));
  EXPECT_EQ(odd.error().code, Errc::invalid_params);
}

TEST_F(RemoteHubTest, AStopReachesTheTurnAndARemovalTheConversation) {
  const std::string id = conversation();
  start();
  hub::test::Gate gate(loop);
  script = hub::test::ends_after(gate);
  ASSERT_TRUE(loop.block_on(there().submit(id, hub::SendPrompt{.text = "work"})));
  ASSERT_TRUE(there().submit_at_once(id, hub::StopTurn{}));
  pass();
  EXPECT_EQ(log.cancels, 1);
  gate.release();
  pass();
  ASSERT_TRUE(loop.block_on(there().submit(id, hub::RemoveConversation{})));
  EXPECT_EQ(hub->find(id), nullptr);
  EXPECT_EQ(there().find(id), nullptr);
}

// ---- the connection --------------------------------------------------------------------------------------------------------

TEST_F(RemoteHubTest, AfterACutTheMissedEventsArriveOnceAndInOrder) {
  const std::string id = conversation();
  start();
  hub::Follower follower(there(), id, 0);
  says("one ");
  prompt(id);
  pass();
  std::string text = text_of(all(follower));
  refusal = Error{.code = Errc::disconnected, .message = "no route"};
  cut();
  says("two ");
  prompt(id);
  pass();
  refusal.reset();
  pass(std::chrono::seconds(15));
  says("three");
  prompt(id);
  pass();
  text += text_of(all(follower));
  EXPECT_EQ(text, "one two three");
  ASSERT_EQ(states.size(), 2U);
  EXPECT_NE(states.front(), "");
  EXPECT_EQ(states.back(), "");
}

TEST_F(RemoteHubTest, ACommandWaitsForTheNextConnection) {
  const std::string id = conversation();
  start();
  refusal = Error{.code = Errc::disconnected, .message = "no route"};
  cut();
  std::optional<Result<hub::Prompted>> outcome;
  Scope scope(loop);
  scope.start([](hub::Hub& at, std::string to, auto& into) -> Task<void> {
    into = co_await at.submit(std::move(to), hub::SendPrompt{.text = "later"});
  }(there(), id, outcome));
  pass(std::chrono::seconds(3));
  EXPECT_FALSE(outcome);
  refusal.reset();
  pass(std::chrono::seconds(15));
  ASSERT_TRUE(outcome && *outcome) << (outcome ? outcome->error().message : "no outcome");
  EXPECT_THAT(log.prompts, ElementsAre("later")) << "once";
}

TEST_F(RemoteHubTest, AnEndBeforeTheAnswerIsAnErrorAndTheCommandIsNotRepeated) {
  const std::string id = conversation();
  start();
  store.held = true;  // the gateway cannot write, and does not answer
  std::optional<Result<hub::Prompted>> outcome;
  Scope scope(loop);
  scope.start([](hub::Hub& at, std::string to, auto& into) -> Task<void> {
    into = co_await at.submit(std::move(to), hub::SendPrompt{.text = "once"});
  }(there(), id, outcome));
  pass();
  cut();
  store.held = false;
  store.changed.notify_all();
  pass(std::chrono::seconds(5));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->error().code, Errc::failed);
  EXPECT_THAT(outcome->error().message, HasSubstr("may have acted"));
  EXPECT_THAT(log.prompts, ElementsAre("once"));
}

// A lost answer would leave the request open, and the person would not know.
TEST_F(RemoteHubTest, AnAnswerThatTheConnectionLosesIsSentAgainAndCountsOnce) {
  const std::string id = conversation();
  start();
  ask(id);
  pass();
  const hub::Ask open = open_asks(there()).at(0);
  store.held = true;  // the gateway cannot write, and does not answer
  std::optional<Result<hub::Ask>> outcome;
  Scope scope(loop);
  scope.start([](hub::Hub& at, hub::Ask to, auto& into) -> Task<void> {
    into = co_await at.submit(to.conversation,
                              hub::AnswerRequest{.request = to.id, .answer = {.digest = to.digest, .option = "yes"}});
  }(there(), open, outcome));
  pass();
  cut();
  store.held = false;
  store.changed.notify_all();
  pass(std::chrono::seconds(15));
  ASSERT_TRUE(outcome);
  ASSERT_FALSE(*outcome);
  EXPECT_EQ(outcome->error().code, Errc::failed);
  EXPECT_THAT(outcome->error().message, HasSubstr("another answer is being recorded")) << "the first counts";
  EXPECT_EQ(trace(id), "turn_start user tool_start confirm settled:answered tool_end turn_end");
}

TEST_F(RemoteHubTest, AGatewayThatClosesEachConnectionIsNotFlooded) {
  conversation();
  start();
  closes = true;
  cut();
  const int before = attempts;
  pass(std::chrono::seconds(60));
  EXPECT_LE(attempts - before, 12);
  EXPECT_GE(attempts - before, 6);
  closes = false;
  pass(std::chrono::seconds(15));
  EXPECT_EQ(states.back(), "");
}

TEST_F(RemoteHubTest, ARefusedTokenEndsTheAttemptsUntilTheNextCommand) {
  const std::string id = conversation();
  start();
  refusal = Error{.code = Errc::denied, .message = "the token is revoked"};
  cut();
  const int before = attempts;
  pass(std::chrono::minutes(10));
  EXPECT_EQ(attempts, before);
  const auto refused = loop.block_on(there().submit(id, hub::SendPrompt{.text = "again"}));
  EXPECT_EQ(refused.error().code, Errc::denied);
  EXPECT_THAT(refused.error().message, HasSubstr("revoked"));
  refusal.reset();
  EXPECT_TRUE(loop.block_on(there().submit(id, hub::SendPrompt{.text = "again"})));
}

TEST_F(RemoteHubTest, AConversationRemovedDuringACutDisappears) {
  const std::string id = conversation();
  const std::string other = conversation();
  start();
  refusal = Error{.code = Errc::disconnected, .message = "no route"};
  cut();
  ASSERT_TRUE(loop.block_on(hub->submit(id, hub::RemoveConversation{})));
  refusal.reset();
  pass(std::chrono::seconds(15));
  EXPECT_EQ(there().find(id), nullptr);
  EXPECT_NE(there().find(other), nullptr);
}

TEST_F(RemoteHubTest, ARequestAnsweredDuringACutIsSettled) {
  const std::string id = conversation();
  start();
  ask(id);
  pass();
  const hub::Ask open = open_asks(there()).at(0);
  refusal = Error{.code = Errc::disconnected, .message = "no route"};
  cut();
  ASSERT_TRUE(answer(open, "yes"));
  refusal.reset();
  pass(std::chrono::seconds(15));
  EXPECT_TRUE(open_asks(there()).empty());
  EXPECT_EQ(there().find_ask(open.id), nullptr);
}

TEST_F(RemoteHubTest, AGatewayThatIsAbsentFailsTheStart) {
  refusal = Error{.code = Errc::disconnected, .message = "no route"};
  const auto started = loop.block_on(remote->start());
  EXPECT_THAT(started.error().message, HasSubstr("no route"));
}

TEST_F(RemoteHubTest, OneByteForEachReadIsTheSame) {
  options.one_byte_reads = true;
  const std::string id = conversation();
  start();
  hub::Follower follower(there(), id, 0);
  says("slowly");
  ASSERT_TRUE(loop.block_on(there().submit(id, hub::SendPrompt{.text = "hi"})));
  pass();
  EXPECT_EQ(text_of(all(follower)), "slowly");
}

// ---- long conversations ------------------------------------------------------------------------------------------------------

TEST_F(RemoteHubTest, ALongLogIsReadInPartsFromTheBeginning) {
  const std::string id = conversation();
  script = [](hub::Turn& turn, hub::Prompt) -> Task<Result<StopReason>> {
    for (int i = 0; i < 1500; ++i) turn.emit(hub::event::Notice{.text = std::to_string(i)});
    co_return StopReason::end_turn;
  };
  prompt(id);
  pass();
  start();
  hub::Follower follower(there(), id, 0);
  pass();
  std::vector<hub::EventPtr> events;
  while (follower.position() < hub->find(id)->last_seq) {
    auto batch = loop.block_on(follower.next());
    ASSERT_TRUE(batch) << batch.error().message;
    events.insert(events.end(), batch->events.begin(), batch->events.end());
  }
  ASSERT_EQ(events.size(), hub->find(id)->last_seq);
  for (std::size_t i = 0; i < events.size(); ++i) ASSERT_EQ(events[i]->seq, i + 1);
  const auto page = loop.block_on(there().events(id, 0, 0, 10));
  ASSERT_TRUE(page);
  EXPECT_EQ(page->events.size(), 10U);
  EXPECT_EQ(page->last_seq, events.size());
}

// The gateway reports a row before the events that the page has not opened yet.
TEST_F(RemoteHubTest, ARowAheadOfItsEventsReadsThemFromTheGateway) {
  const std::string id = conversation();
  start();
  says("early");
  prompt(id);
  pass();
  hub::Follower follower(there(), id, 0);
  ASSERT_EQ(there().find(id)->last_seq, hub->find(id)->last_seq);
  const auto batch = loop.block_on(follower.next());
  ASSERT_TRUE(batch) << batch.error().message;
  EXPECT_EQ(batch->events.front()->seq, 1U);
  const auto page = loop.block_on(there().events(id, 1, 0, 100));
  ASSERT_TRUE(page) << page.error().message;
  EXPECT_EQ(page->events.size(), hub->find(id)->last_seq - 1);
}

}  // namespace
}  // namespace parlance::driver
