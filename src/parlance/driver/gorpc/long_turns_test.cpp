// SPDX-License-Identifier: Apache-2.0
// Long turns: many rounds of tools, starting servers, many prompts at once.
#include "parlance/agent/limits.h"
#include "parlance/driver/gorpc/test_support.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/model/earlier_messages.h"
#include "parlance/model/too_long.h"

namespace parlance::driver {
namespace {

using ::testing::HasSubstr;

// Answers after a signal.
class WaitingModel final : public model::Model {
 public:
  explicit WaitingModel(Loop& loop) : go(loop) {}
  Task<Result<model::Completion>> chat(model::ChatRequest, model::ChunkSink&) override {
    most = std::max(most, ++running);
    while (held) co_await go.wait();
    --running;
    co_return model::Completion{.content = "done"};
  }
  std::string_view name() const override { return "waiting"; }
  bool shows(const model::Attachment&, std::string_view) const override { return false; }
  bool held = true;
  std::size_t running = 0;
  std::size_t most = 0;
  Signal go;
};

struct LongTurns : test::GorpcBench {};

TEST_F(LongTurns, ALimitOfRoundsEndsTheTurn) {
  serve(true);
  model->calls = 5;
  prompt("go on", {.most_rounds = 2});
  EXPECT_EQ(model->asked.size(), 2U);
  ASSERT_EQ(failures().size(), 1U);
  EXPECT_EQ(failures()[0].code, "max_turns");
  const auto* end = std::get_if<hub::event::TurnEnd>(&store.logs[id].back().body);
  ASSERT_NE(end, nullptr);
  EXPECT_EQ(end->stop_reason, hub::StopReason::max_turns);
}

TEST_F(LongTurns, APersonDecidesWhetherManyRoundsOfToolsGoOn) {
  settings.tool_rounds = 2;
  serve(true);
  model->calls = 5;
  prompt_and_answer("go on", "go_on");
  EXPECT_EQ(model->asked.size(), 6U) << "all five rounds, and the answer";
  ASSERT_EQ(asked.size(), 2U);
  EXPECT_EQ(asked[0].title, "Go on after 2 rounds of tools?");
  EXPECT_EQ(asked[1].title, "Go on after 4 rounds of tools?");
  EXPECT_EQ(events<hub::event::TurnEnd>().back().stop_reason, hub::StopReason::end_turn);
}

TEST_F(LongTurns, WithoutAYesManyRoundsOfToolsEndTheTurnWithoutAnError) {
  settings.tool_rounds = 2;
  serve(true);
  model->calls = 5;
  prompt_and_answer("go on", "stop");
  EXPECT_EQ(model->asked.size(), 2U);
  EXPECT_TRUE(failures().empty());
  EXPECT_THAT(events<hub::event::Notice>().back().text, HasSubstr("stopped after 2 rounds of tools"));
  EXPECT_EQ(events<hub::event::TurnEnd>().back().stop_reason, hub::StopReason::max_turns);
}

// A model with a small context: it refuses each request with more than 50,000 bytes.
class SmallContext final : public model::Model {
 public:
  Task<Result<model::Completion>> chat(model::ChatRequest request, model::ChunkSink&) override {
    model::take_in_earlier(request);
    std::size_t bytes = 0;
    for (const model::Message& message : request.messages)
      if (message.role != model::Role::system) bytes += message.content.size();
    if (bytes > 50'000) {
      ++refused;
      co_return fail(Errc::invalid_params, "the conversation is too long" + std::string(model::too_long_cure));
    }
    asked.push_back(std::move(request));
    co_return model::Completion{.content = "ok"};
  }
  std::string_view name() const override { return "small"; }
  int refused = 0;
  std::vector<model::ChatRequest> asked;
};

TEST_F(LongTurns, BeyondTheContextOfTheModelTheOldestTurnsAreLeftOut) {
  settings.continues_turns = true;  // the agent keeps answers, a refusal too
  auto made = std::make_unique<SmallContext>();
  SmallContext& small = *made;
  agent.emplace(loop, std::move(made), nullptr);
  serve(true);
  for (int i = 0; i < 10; ++i) prompt(std::to_string(i) + " " + std::string(12'000, 'x'));
  EXPECT_EQ(small.asked.size(), 10U);
  EXPECT_EQ(small.refused, 1) << "the size is learned";
  EXPECT_TRUE(failures().empty());
  EXPECT_EQ(events<hub::event::Notice>().size(), 1U);
  const auto& last = small.asked.back().messages;
  EXPECT_TRUE(
      std::ranges::any_of(last, [](const auto& message) { return message.content.contains("its beginning is left out here"); }));
  EXPECT_TRUE(last.back().content.starts_with("9 "));
  prompt(std::string(60'000, 'y'));
  ASSERT_EQ(failures().size(), 1U);
  EXPECT_TRUE(failures()[0].message.ends_with("choose a model with a larger context")) << "a single message is never cut";
}

TEST_F(LongTurns, AFirstAnswerWaitsForServersThatAreStartingAndNamesTheMissingOnes) {
  bool settled = false;
  settings.absent_servers = [&] {
    std::vector<AbsentServer> absent{{.name = "broken", .reason = "no such program"}};
    if (!settled) absent.push_back({.name = "slow", .reason = "not connected yet", .starting = true});
    return absent;
  };
  settings.servers_settle = [&]() -> Task<Result<void>> {
    EXPECT_EQ(hub->find(id)->waits_for, "starting MCP servers");
    settled = true;
    co_return Result<void>{};
  };
  serve(true);
  prompt("one");
  prompt("two");
  EXPECT_TRUE(settled);
  const auto notices = events<hub::event::Notice>();
  ASSERT_EQ(notices.size(), 1U) << "the person gets the notice once";
  EXPECT_THAT(notices[0].text, HasSubstr("The MCP server broken is not connected"));
  EXPECT_THAT(notices[0].text, HasSubstr("no such program"));
}

TEST_F(LongTurns, ANoticeNamesMissingToolsOnce) {
  std::string problems;
  settings.tool_problems = [&] { return problems; };
  serve(true);
  for (const char* now : {"", "odd is missing", "odd is missing", "", "even is missing"}) {
    problems = now;
    prompt("go");
  }
  const auto notices = events<hub::event::Notice>();
  ASSERT_EQ(notices.size(), 2U);
  EXPECT_EQ(notices[0].detail, "odd is missing");
  EXPECT_EQ(notices[1].detail, "even is missing");
}

TEST_F(LongTurns, TwoHundredPromptsAtOnceWaitForAPlaceAndAllAreAnswered) {
  auto made = std::make_unique<WaitingModel>(loop);
  WaitingModel& waiting = *made;
  agent.emplace(loop, std::move(made), nullptr);
  serve(true);
  std::vector<std::string> all;
  for (int i = 0; i < 200; ++i) {
    all.push_back(loop.block_on(hub->create({.agent = "parlance", .folder = "/project"}))->id);
    ASSERT_TRUE(loop.block_on(hub->submit(all.back(), hub::SendPrompt{.text = "hello"})));
  }
  const auto until = [&](const std::function<bool()>& so) {
    loop.run_until(so);
    return so();
  };
  ASSERT_TRUE(
      until([&] { return waiting.running == limits::running_chats && link->slots().waiting() == 200 - limits::running_chats; }));
  EXPECT_FALSE(hub->find(all.front())->waits_for);
  EXPECT_THAT(hub->find(all.back())->waits_for.value_or(""), HasSubstr("before it: 135"));
  ASSERT_TRUE(hub->submit_at_once(all.back(), hub::StopTurn{}));
  ASSERT_TRUE(until([&] { return hub::test::is_idle(*hub, all.back()); })) << "one that waits can be stopped";
  EXPECT_FALSE(hub->find(all.back())->waits_for);
  waiting.held = false;
  waiting.go.notify_all();
  ASSERT_TRUE(until([&] { return hub->statistics().running_turns == 0; }));
  EXPECT_EQ(waiting.most, limits::running_chats);
  for (const std::string& text : all) {
    const auto& end = std::get<hub::event::TurnEnd>(store.logs[text].back().body);
    EXPECT_EQ(end.stop_reason, text == all.back() ? hub::StopReason::cancelled : hub::StopReason::end_turn);
  }
}

}  // namespace
}  // namespace parlance::driver
