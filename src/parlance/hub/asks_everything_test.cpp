// SPDX-License-Identifier: Apache-2.0
// A hub without decisions: it asks despite rules and modes, and no answer becomes a rule.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/test_support.h"

namespace parlance::hub {
namespace {

using testing::SizeIs;

struct AsksEverything : ::testing::Test {
  AsksEverything() {
    hub = std::make_unique<Hub>(
        loop, store,
        HubSettings{.rules = {{.id = "all", .effect = Effect::allow, .label = "everything"}}, .asks_everything = true});
    hub->add_agent(std::make_unique<test::ScriptedProvider>(script, log));
    PARLANCE_CHECK(loop.block_on(hub->start()), "a hub that starts");
    script = [this](Turn& turn, Prompt) -> Task<Result<StopReason>> {
      turn.emit(event::ToolStart{.call = "c", .tool = "read_file"});
      PARLANCE_CO_TRY(answer, co_await turn.ask({.call = "c",
                                                 .tool = "read_file",
                                                 .options = offered,
                                                 .intent = ToolIntent{.kind = ToolKind::read, .title = "a.txt"}}));
      allowed = answer.allowed();
      co_return StopReason::end_turn;
    };
  }
  Ask asked(Mode mode) {
    const std::string id = test::create(loop, *hub, {.agent = "scripted", .folder = "/project", .mode = mode});
    PARLANCE_CHECK(loop.block_on(hub->submit(id, SendPrompt{.text = "read"})), "a prompt");
    while (loop.run_ready()) {}
    const auto asks = open_asks(*hub);
    PARLANCE_CHECK(asks.size() == 1, "one ask");
    return asks.front();
  }

  Loop loop{Loop::Time::virtual_};
  test::MemoryStore store{loop};
  test::Script script;
  test::AgentLog log;
  std::vector<AskOption> offered;
  std::optional<bool> allowed;
  std::unique_ptr<Hub> hub;
};

TEST_F(AsksEverything, NeitherARuleNorTheFreestModeAllows) {
  const Ask ask = asked(Mode::yolo);
  ASSERT_NE(hub->intent_of(ask.id), nullptr);
  EXPECT_EQ(hub->intent_of(ask.id)->title, "a.txt");
  EXPECT_FALSE(allowed);
  for (const AskOption& option : ask.options) EXPECT_NE(option.kind, OptionKind::allow_always) << option.id;
  ASSERT_TRUE(loop.block_on(
      hub->submit(ask.conversation, AnswerRequest{.request = ask.id, .answer = {.digest = ask.digest, .option = "allow_once"}})));
  while (loop.run_ready()) {}
  EXPECT_EQ(allowed, true);
  EXPECT_EQ(hub->intent_of(ask.id), nullptr);
  EXPECT_THAT(hub->rules(), SizeIs(1));
}

TEST_F(AsksEverything, ModeChangeAnswersNoOpenAsk) {
  const Ask ask = asked(Mode::default_);
  ASSERT_TRUE(loop.block_on(hub->submit(ask.conversation, ChangeSettings{{.mode = Mode::yolo}})));
  while (loop.run_ready()) {}
  EXPECT_FALSE(allowed);
}

TEST_F(AsksEverything, AlwaysOptionsAreRemoved) {
  offered = {{.id = "ever", .kind = OptionKind::allow_always},
             {.id = "once", .kind = OptionKind::allow_once},
             {.id = "no", .kind = OptionKind::reject_once}};
  const Ask ask = asked(Mode::default_);
  ASSERT_THAT(ask.options, SizeIs(2));
  EXPECT_EQ(ask.options.front().id, "once");
}

}  // namespace
}  // namespace parlance::hub
