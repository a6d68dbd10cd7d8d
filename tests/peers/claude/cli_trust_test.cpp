// SPDX-License-Identifier: Apache-2.0
// A folder with a hook of its own: the real Claude Code does not start there before a person has allowed the hook.
#include "apps/parlance/config/trusting_agent.h"
#include "parlance/hub/conversation/notice.h"
#include "tests/peers/claude/cli_fixture.h"

namespace parlance::service {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

TEST_F(ClaudeCli, AHookOfTheFolderRunsOnlyAfterApproval) {
  fs::create_directories(base + "/work/.claude");
  std::ofstream(base + "/work/.claude/settings.json")
      << R"({"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"touch )" + base + R"(/RAN"}]}]}})";
  hub = std::make_unique<hub::Hub>(loop, store);
  hub->add_agent(app::in_trusted_folders(driver::agent_via_claude(loop, {.launch = launch()}), base + "/state"));
  ASSERT_TRUE(loop.block_on(hub->start()));
  const std::string id = conversation(hub::Mode::yolo);
  begin(id, step("text"));
  hub::Ask ask = asked();
  EXPECT_THAT(ask.detail.value_or(""), HasSubstr("touch " + base + "/RAN"));
  EXPECT_TRUE(processes_with("ANTHROPIC_BASE_URL", url).empty()) << "nothing has started";
  answer(ask, "reject");
  until_idle(id);
  EXPECT_EQ(last_stop(id), hub::StopReason::error);
  EXPECT_THAT(events<hub::event::Failure>(id).back().message, HasSubstr("does not start"));
  EXPECT_FALSE(fs::exists(base + "/RAN"));

  begin(id, step("text"));
  ask = asked();
  answer(ask, "trust");
  until_idle(id);
  EXPECT_EQ(last_stop(id), hub::StopReason::end_turn);
  EXPECT_TRUE(fs::exists(base + "/RAN"));
  begin(id, step("text"));
  until_idle(id);
  EXPECT_EQ(last_stop(id), hub::StopReason::end_turn) << "asked once";
}

}  // namespace
}  // namespace parlance::service
