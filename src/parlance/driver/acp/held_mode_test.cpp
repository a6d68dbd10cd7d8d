// SPDX-License-Identifier: Apache-2.0
// Only a person raises permissions: an agent's report of its own mode lowers the conversation's mode or has no effect.
#include <gmock/gmock.h>

#include "parlance/driver/acp/presets.h"
#include "parlance/driver/acp/test_support.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/notice.h"

namespace parlance::driver {
namespace {

using hub::Mode;
using test::AcpBench;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<std::string> all_modes{"default", "yolo", "bypassPermissions", "autoEdit", "acceptEdits", "auto-edit", "smart",
                                         "auto",    "plan"};

acp::SessionModes modes(const std::vector<std::string>& ids) {
  acp::SessionModes made{.current_mode_id = ids.front()};
  for (const std::string& id : ids) made.available_modes.push_back({.id = id});
  return made;
}

acp::ConfigOption option(std::string id, std::string category, const std::string& value, const std::vector<std::string>& values) {
  acp::ConfigOption made{
      .id = std::move(id), .name = "Mode", .category = std::move(category), .current_value = {"\"" + value + "\""}};
  made.options.emplace();
  for (const std::string& name : values) made.options->push_back({.value = name, .name = name});
  return made;
}

// Sends updates, waits, and ends its turn.
auto claims(std::vector<std::string> updates) {
  return [updates](const acp::Prompt& prompt, Peer& agent) -> Task<Result<acp::PromptResult>> {
    for (const std::string& update : updates)
      static_cast<void>(
          agent.notify(acp::method::update, {.session_id = prompt.session_id, .update = *json::from_text<acp::Update>(update)}));
    co_return acp::PromptResult{};
  };
}
std::string mode_update(const std::string& id) {
  return R"({"sessionUpdate":"current_mode_update","currentModeId":")" + id + "\"}";
}

std::vector<std::string> warnings(const AcpBench& bench, const std::string& id) {
  std::vector<std::string> texts;
  for (const auto& notice : bench.events<hub::event::Notice>(id))
    if (notice.level == hub::NoticeLevel::warning) texts.push_back(notice.text);
  return texts;
}

TEST(HeldMode, ClaimOfAHigherModeIsReset) {
  for (const std::string& claim : all_modes) {
    if (claim == "default" || claim == "plan") continue;
    AcpBench bench;
    bench.agent_script.modes = modes(all_modes);
    bench.agent_script.prompt = claims({mode_update(claim)});
    const std::string id = bench.acp_conversation();
    bench.begin(id);
    EXPECT_EQ(bench.hub->find(id)->mode, Mode::default_) << claim;
    EXPECT_THAT(bench.agent_script.modes_set, ElementsAre("default")) << claim;
    EXPECT_THAT(warnings(bench, id), ElementsAre(HasSubstr("“" + claim + "”")));
  }
}

TEST(HeldMode, AnUnknownModeIsNoModeOfOurs) {
  AcpBench bench;
  bench.agent_script.modes = modes(all_modes);
  bench.agent_script.prompt = claims({mode_update("agent-full-access")});
  const std::string id = bench.acp_conversation(Mode::yolo);
  bench.begin(id);
  EXPECT_EQ(bench.hub->find(id)->mode, Mode::yolo);
  EXPECT_THAT(bench.agent_script.modes_set, ElementsAre("default"));
}

TEST(HeldMode, AnAgentMayLowerTheMode) {
  AcpBench bench;
  bench.agent_script.modes = modes(all_modes);
  bench.agent_script.prompt = claims({mode_update("plan")});
  const std::string id = bench.acp_conversation(Mode::yolo);
  bench.begin(id);
  EXPECT_EQ(bench.hub->find(id)->mode, Mode::plan);
  EXPECT_THAT(warnings(bench, id), IsEmpty());
  bench.agent_script.prompt = claims({mode_update("default")});
  bench.begin(id);
  EXPECT_EQ(bench.hub->find(id)->mode, Mode::plan) << "it does not end the plan by itself";
}

TEST(HeldMode, ManyClaimsCauseOneNoticeAndFewCorrections) {
  AcpBench bench;
  bench.agent_script.modes = modes(all_modes);
  std::vector<std::string> flood;
  for (int i = 0; i < 50; ++i) flood.push_back(mode_update("yolo"));
  bench.agent_script.prompt = claims(flood);
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  EXPECT_EQ(warnings(bench, id).size(), 1U);
  EXPECT_LE(bench.agent_script.modes_set.size(), static_cast<std::size_t>(limits::acp_mode_corrections));
}

TEST(HeldMode, SessionWithAHigherInitialModeIsLowered) {
  AcpBench bench;
  bench.agent_script.modes = modes({"bypassPermissions", "default", "plan"});
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  EXPECT_EQ(bench.hub->find(id)->mode, Mode::default_);
  EXPECT_THAT(bench.agent_script.asked, ElementsAre("initialize", "session/new", "session/set_mode", "session/prompt"));
  EXPECT_THAT(bench.agent_script.modes_set, ElementsAre("default"));
}

// OpenCode has no session modes, but an option of category `mode`.
TEST(HeldMode, AnOptionOfCategoryModeIsTheModeOfTheAgent) {
  AcpBench bench;
  bench.settings.modes = settings_of(*find_acp_preset("opencode")).modes;
  bench.restart();
  bench.agent_script.options = {option("mode", "mode", "build", {"build", "plan", "free"})};
  const std::string id = bench.acp_conversation(Mode::plan);
  bench.begin(id);
  EXPECT_THAT(bench.agent_script.options_set, ElementsAre(R"(mode="plan")"));
  EXPECT_THAT(bench.hub->find(id)->options.value_or(std::vector<hub::AgentOption>{}), IsEmpty()) << "a person chooses our mode";
  bench.agent_script.prompt = claims({R"({"sessionUpdate":"config_option_update","configOptions":[{"id":"mode","name":"Mode",
      "category":"mode","type":"select","currentValue":"free","options":[{"value":"build","name":"b"},{"value":"plan","name":"p"},
      {"value":"free","name":"f"}]}]})"});
  bench.begin(id);
  EXPECT_EQ(bench.hub->find(id)->mode, Mode::plan);
  EXPECT_THAT(bench.agent_script.options_set, ElementsAre(R"(mode="plan")", R"(mode="plan")"));
  EXPECT_THAT(warnings(bench, id), ElementsAre(HasSubstr("“free”")));
}

// claude-agent-acp has both; a stale option reverted the mode earlier.
TEST(HeldMode, AModeAndItsOptionAreChangedTogether) {
  AcpBench bench;
  bench.agent_script.modes = modes({"default", "plan"});
  bench.agent_script.options = {option("mode", "mode", "default", {"default", "plan"})};
  const std::string id = bench.acp_conversation(Mode::plan);
  bench.begin(id);
  bench.begin(id, "again");
  EXPECT_THAT(bench.agent_script.modes_set, ElementsAre("plan"));
  EXPECT_THAT(bench.agent_script.options_set, ElementsAre(R"(mode="plan")"));
}

// Copilot has an option beside its modes that disables all requests.
TEST(HeldMode, OptionAgainstRequestsIsHeld) {
  AcpBench bench;
  bench.settings.modes = settings_of(*find_acp_preset("copilot")).modes;
  bench.restart();
  const auto& known = bench.settings.modes;
  bench.agent_script.options = {option("mode", "mode", known.asks, {known.asks, known.plans}),
                                option("allow_all", "permissions", "on", {"on", "off"})};
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  EXPECT_THAT(bench.agent_script.options_set, ElementsAre(R"(allow_all="off")"));
  EXPECT_FALSE(bench.loop.block_on(bench.hub->submit(id, hub::SetOption{.option = "allow_all", .value = "on"})));
}

TEST(HeldMode, AgentWithoutAskingModeCausesAWarningAndCannotPlan) {
  for (const auto& offered : {std::vector<std::string>{}, {"build", "code"}}) {
    AcpBench bench;
    bench.settings.modes = {};
    bench.restart();
    if (!offered.empty()) bench.agent_script.modes = modes(offered);
    const std::string id = bench.acp_conversation();
    bench.begin(id);
    EXPECT_THAT(warnings(bench, id), ElementsAre(HasSubstr("has no asking mode")));
    bench.begin(id, "again");
    EXPECT_EQ(warnings(bench, id).size(), 1U) << "once a session";
    EXPECT_EQ(bench.agent_script.prompts.size(), 2U);

    const std::string plans = bench.acp_conversation(Mode::plan);
    bench.begin(plans);
    EXPECT_EQ(bench.agent_script.prompts.size(), 2U) << "it does not start";
    EXPECT_THAT(bench.events<hub::event::Failure>(plans).front().message,
                testing::AllOf(HasSubstr("plan mode cannot start with Tester"), HasSubstr("Choose another mode")));
  }
}

TEST(HeldMode, AnApprovedPlanRaisesTheModeByTheKindOfItsOption) {
  AcpBench bench;
  bench.agent_script.modes = modes({"default", "plan", "acceptEdits", "bypassPermissions"});
  std::string answered;
  bench.agent_script.prompt = [&answered](const acp::Prompt& prompt, Peer& agent) -> Task<Result<acp::PromptResult>> {
    const auto reply = co_await agent.call(
        acp::method::request_permission,
        {.session_id = prompt.session_id,
         .tool_call = *json::from_text<acp::ToolCallUpdate>(R"({"toolCallId":"p","title":"Ready?","kind":"switch_mode"})"),
         .options = {
             {.option_id = "bypassPermissions", .name = "Carefully", .kind = {.value = acp::PermissionKind::allow_always}},
             {.option_id = "default", .name = "Ask", .kind = {.value = acp::PermissionKind::allow_once}}}});
    answered = json::to_text(*reply);
    co_return co_await claims({mode_update("bypassPermissions")})(prompt, agent);
  };
  const std::string id = bench.acp_conversation(Mode::plan);
  bench.begin(id);
  bench.choose(bench.asked(), "bypassPermissions");
  EXPECT_EQ(bench.hub->find(id)->mode, Mode::auto_edit) << "an always is no more than that";
  EXPECT_THAT(answered, HasSubstr(R"("optionId":"default")")) << "the agent goes on asking, and the policy answers";
  EXPECT_THAT(bench.agent_script.modes_set, ElementsAre("plan", "default"));
}

TEST(HeldMode, PlanWithACommandIsJudgedAsACommand) {
  AcpBench bench;
  bench.agent_script.modes = modes({"default", "plan"});
  bench.agent_script.prompt = [](const acp::Prompt& prompt, Peer& agent) -> Task<Result<acp::PromptResult>> {
    static_cast<void>(co_await agent.call(
        acp::method::request_permission,
        {.session_id = prompt.session_id,
         .tool_call = *json::from_text<acp::ToolCallUpdate>(
             R"({"toolCallId":"p","title":"Ready?","kind":"switch_mode","rawInput":{"command":"rm -rf ."}})"),
         .options = {{.option_id = "yes", .name = "Yes", .kind = {.value = acp::PermissionKind::allow_once}}}}));
    co_return acp::PromptResult{};
  };
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  const hub::Ask ask = bench.asked();
  EXPECT_EQ(ask.kind, hub::AskKind::permission);
  EXPECT_EQ(ask.detail, "rm -rf .");
}

}  // namespace
}  // namespace parlance::driver
