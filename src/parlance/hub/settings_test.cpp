// SPDX-License-Identifier: Apache-2.0
// Settings, agent options, and cleared conversations.
#include <gtest/gtest.h>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/test_support.h"

namespace parlance::hub {
namespace {

using test::Bench;

std::string chosen(const Conversation& conversation, std::string_view id) {
  return option_value(conversation.options.value_or(std::vector<AgentOption>{}), id);
}

TEST(Settings, SettingsGoToTheOpenAgentFirst) {
  Bench bench;
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(id, ChangeSettings{{.mode = Mode::yolo}})));
  EXPECT_EQ(bench.log.modes, std::vector<Mode>{Mode::yolo});
  EXPECT_EQ(bench.trace(id), "turn_start user turn_end mode");
  bench.log.refuse_modes = true;
  EXPECT_EQ(bench.loop.block_on(bench.hub->submit(id, ChangeSettings{{.mode = Mode::plan}})).error().code, Errc::denied);
  EXPECT_EQ(bench.hub->find(id)->mode, Mode::yolo);
  const auto renamed = bench.loop.block_on(bench.hub->submit(id, ChangeSettings{{.title = "  A name\nand more "}}));
  EXPECT_EQ(renamed->title, "A name");
}

TEST(Settings, ARefusedPartLeavesTheAgentInTheOldMode) {
  Bench bench;
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  bench.log.refuse_models = true;
  const ConversationChanges changes{.mode = Mode::yolo, .model = "unknown"};
  EXPECT_EQ(bench.loop.block_on(bench.hub->submit(id, ChangeSettings{changes})).error().code, Errc::denied);
  EXPECT_EQ(bench.log.modes, (std::vector<Mode>{Mode::yolo, Mode::default_}));
  EXPECT_EQ(bench.hub->find(id)->mode, Mode::default_);
  EXPECT_EQ(bench.log.closed, 0);
}

TEST(Settings, AnAgentThatKeepsARefusedModeIsReplaced) {
  Bench bench;
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  bench.log.refuse_models = bench.log.keeps_mode = true;
  const ConversationChanges changes{.mode = Mode::yolo, .model = "unknown"};
  EXPECT_FALSE(bench.loop.block_on(bench.hub->submit(id, ChangeSettings{changes})));
  bench.loop.run_ready();
  EXPECT_EQ(bench.log.closed, 1);
}

TEST(Settings, AConversationIsArchivedAndUnarchived) {
  Bench bench;
  const std::string id = bench.conversation();
  EXPECT_EQ(bench.loop.block_on(bench.hub->submit(id, ChangeSettings{{.archived = true}}))->archived, true);
  bench.crash();
  EXPECT_EQ(bench.hub->find(id)->archived, true);
  EXPECT_EQ(bench.loop.block_on(bench.hub->submit(id, ChangeSettings{{.archived = false}}))->archived, std::nullopt);
  bench.store.failing = true;
  EXPECT_FALSE(bench.loop.block_on(bench.hub->submit(id, ChangeSettings{{.archived = true}})));
  EXPECT_FALSE(bench.hub->find(id)->archived) << "an unwritten change has no effect";
}

TEST(Options, ChoiceIsStoredPublishedAndSentToTheOpenAgent) {
  Bench bench;
  const std::string id = bench.conversation();
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(id, SetOption{.option = "web", .value = "true"})));
  EXPECT_TRUE(bench.log.options.empty()) << "not open yet: the conversation holds the option";
  bench.prompt(id);
  bench.loop.run_ready();
  const auto now = bench.loop.block_on(bench.hub->submit(id, SetOption{.option = "effort", .value = "high"}));
  ASSERT_TRUE(now);
  EXPECT_EQ(chosen(*now, "effort"), "high");
  EXPECT_EQ(chosen(*now, "web"), "true");
  EXPECT_EQ(bench.log.options, (std::vector<std::string>{"effort=high"}));
  EXPECT_EQ(bench.trace(id), "option turn_start user turn_end option");
  EXPECT_EQ(bench.store.logs.at(id).back().body,
            EventBody(event::OptionChanged{.id = "effort", .name = "Effort", .value = "high", .by = "person"}));
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(id, SetOption{.option = "effort", .value = "high"})));
  EXPECT_EQ(bench.trace(id), "option turn_start user turn_end option") << "the current value is no change";
}

TEST(Options, UnofferedValueIsRefusedWithTheOffer) {
  Bench bench;
  const std::string id = bench.conversation();
  EXPECT_EQ(bench.loop.block_on(bench.hub->submit(id, SetOption{.option = "speed", .value = "1"})).error().message,
            "this agent has no option speed");
  EXPECT_EQ(bench.loop.block_on(bench.hub->submit(id, SetOption{.option = "effort", .value = "most"})).error().message,
            "effort cannot be \"most\"; it can be low, high");
  EXPECT_EQ(bench.loop.block_on(bench.hub->submit(id, SetOption{.option = "web", .value = "1"})).error().message,
            "web is true or false, not \"1\"");
  EXPECT_EQ(bench.loop.block_on(bench.hub->submit("unknown", SetOption{.option = "web", .value = "true"})).error().code,
            Errc::not_found);
  EXPECT_FALSE(bench.hub->find(id)->options);
}

TEST(Options, RefusedOrUnwrittenChoiceHasNoEffect) {
  Bench bench;
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  bench.log.refuse_modes = true;
  EXPECT_EQ(bench.loop.block_on(bench.hub->submit(id, SetOption{.option = "effort", .value = "high"})).error().code,
            Errc::denied);
  bench.log.refuse_modes = false;
  bench.store.failing = true;
  EXPECT_FALSE(bench.loop.block_on(bench.hub->submit(id, SetOption{.option = "effort", .value = "high"})));
  bench.store.failing = false;
  bench.loop.run_ready();
  EXPECT_EQ(bench.log.options, (std::vector<std::string>{"effort=high", "effort=low"})) << "the agent receives the current value";
  EXPECT_EQ(chosen(*bench.hub->find(id), "effort"), "");
}

TEST(Options, OptionsReportedByTheAgentApply) {
  Bench bench;
  const std::string id = bench.conversation();
  bench.script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    std::vector<AgentOption> all{
        {.id = "effort", .name = "Effort", .values = {{.value = "low"}, {.value = "none"}}, .value = "low"}};
    turn.set_options(all);
    all[0].value = "none";
    turn.set_options(all);
    turn.set_options(all);
    co_return StopReason::end_turn;
  };
  bench.prompt(id);
  bench.loop.run_ready();
  EXPECT_EQ(bench.trace(id), "turn_start user option turn_end");
  EXPECT_EQ(chosen(*bench.hub->find(id), "effort"), "none");
}

// ---- clear

TEST(Clear, AgentForgetsAndTheLogKeeps) {
  Bench bench;
  const std::string id = bench.conversation();
  std::vector<std::size_t> known;
  std::vector<bool> has_session;
  bench.script = [&](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    const auto history = co_await turn.history();
    known.push_back(history->size());
    has_session.push_back(!(turn.setup().agent_session == Conversation{}.agent_session));
    turn.set_agent_session("session");
    turn.emit(event::Text{"answer"});
    co_return StopReason::end_turn;
  };
  bench.prompt(id, "one");
  bench.loop.run_ready();
  bench.prompt(id, "two");
  bench.loop.run_ready();
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(id, ClearConversation{})));
  EXPECT_EQ(bench.log.closed, 1) << "the hub closes an agent that knows the session";
  bench.prompt(id, "three");
  bench.loop.run_ready();
  EXPECT_EQ(known, (std::vector<std::size_t>{1, 3, 1}));
  EXPECT_EQ(has_session, (std::vector<bool>{false, true, false}));
  EXPECT_EQ(bench.trace(id), "turn_start user text turn_end turn_start user text turn_end cleared turn_start user text turn_end");
  EXPECT_EQ(bench.loop.block_on(bench.hub->history(id))->size(), 2U);
  bench.crash();
  EXPECT_EQ(bench.loop.block_on(bench.hub->history(id))->size(), 2U) << "after a restart, too";
}

TEST(Clear, ClearStopsTheTurnAndSettlesRequests) {
  Bench bench;
  const std::string id = bench.conversation();
  bench.script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    const auto answer =
        co_await turn.ask({.title = "x", .options = {{.id = "yes", .label = "Yes", .kind = OptionKind::allow_once}}});
    co_return answer->state == AskState::cancelled ? StopReason::cancelled : StopReason::end_turn;
  };
  bench.prompt(id);
  bench.loop.run_ready();
  ASSERT_EQ(open_asks(*bench.hub).size(), 1U);
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(id, ClearConversation{})));
  EXPECT_TRUE(open_asks(*bench.hub).empty());
  EXPECT_EQ(bench.hub->find(id)->state, ConversationState::idle);
  EXPECT_EQ(bench.trace(id), "turn_start user confirm settled:cancelled turn_end:cancelled cleared");
}

TEST(Clear, UnwrittenClearHasNoEffect) {
  Bench bench;
  const std::string id = bench.conversation();
  bench.script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    turn.set_agent_session("session");
    co_return StopReason::end_turn;
  };
  bench.prompt(id);
  bench.loop.run_ready();
  const auto session = bench.hub->find(id)->agent_session;
  bench.store.failing = true;
  EXPECT_FALSE(bench.loop.block_on(bench.hub->submit(id, ClearConversation{})));
  EXPECT_EQ(bench.hub->find(id)->agent_session, session);
  EXPECT_EQ(bench.loop.block_on(bench.hub->submit("unknown", ClearConversation{})).error().code, Errc::not_found);
}

// ---- context of a prompt

TEST(PromptContext, ContextIsInLogQueueAndPrompt) {
  Bench bench;
  const std::string id = bench.conversation();
  std::vector<std::size_t> got;
  bench.script = [&](Turn&, Prompt prompt) -> Task<Result<StopReason>> {
    got.push_back(prompt.context.size());
    co_return StopReason::end_turn;
  };
  const std::vector<PromptContext> looked_at{{.path = "a.cpp", .range = LineRange{.first = 1, .last = 2}, .text = "x"}};
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(id, SendPrompt{.text = "one", .context = looked_at})));
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(id, SendPrompt{.text = "two", .context = looked_at})));
  bench.loop.run_ready();
  EXPECT_EQ(got, (std::vector<std::size_t>{1, 1}));
  for (const Event& event : bench.store.logs.at(id))
    if (const auto* said = std::get_if<event::UserMessage>(&event.body)) EXPECT_EQ(said->context, looked_at);
}

TEST(PromptContext, LimitsAndInvalidLineRangesAreRefused) {
  Bench bench;
  const std::string id = bench.conversation();
  const auto refused = [&](std::vector<PromptContext> context) {
    const auto done = bench.loop.block_on(bench.hub->submit(id, SendPrompt{.text = "x", .context = std::move(context)}));
    return done ? std::string("taken") : done.error().message;
  };
  EXPECT_EQ(refused({{.path = ""}}), "the context of the prompt names no file");
  EXPECT_EQ(refused({{.path = "a", .range = LineRange{.first = 5, .last = 4}}}),
            "the range of lines of a must begin at 1 or later, and must not end before its beginning");
  EXPECT_NE(refused({{.path = "a", .text = std::string(most_context_bytes, 'x')}}).find("at most"), std::string::npos);
  EXPECT_NE(refused(std::vector<PromptContext>(most_contexts + 1, {.path = "a"})).find("at most"), std::string::npos);
}

}  // namespace
}  // namespace parlance::hub
