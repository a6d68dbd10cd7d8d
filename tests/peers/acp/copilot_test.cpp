// SPDX-License-Identifier: Apache-2.0
// GitHub's Copilot CLI (1.0.102), with a script as the model and no login: a prompt, an approved and a refused call, an edit, a
// plan, a stop.
#include "parlance/hub/conversation/plan.h"
#include "parlance/hub/conversation/prompt.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "tests/peers/acp/agent_fixture.h"

namespace parlance::test {
namespace {

using ::testing::HasSubstr;

class CopilotCli : public AcpAgentTest {
 protected:
  void SetUp() override {
    needs("copilot", "@github/copilot-linux-x64");
    if (IsSkipped() || HasFatalFailure()) return;
    driver::AcpAgentSettings settings{.name = "Copilot"};
    settings.command = {PARLANCE_NODE, peers_folder() + "/copilot/node_modules/@github/copilot/npm-loader.js", "--acp"};
    settings.environment = {{"HOME", base + "/home"},
                            {"COPILOT_OFFLINE", "true"},
                            {"COPILOT_PROVIDER_BASE_URL", started_model() + "/v1"},
                            {"COPILOT_MODEL", "mock"},
                            {"COPILOT_PROVIDER_API_KEY", "dummy"}};
    open_hub(std::move(settings));
  }
  // The instruction to its model: make a file by a command.
  static std::string make(const std::string& name) {
    return R"(call:bash {"command":"echo hi > )" + name + R"(","description":"make a file"})";
  }
};

TEST_F(CopilotCli, APromptAnApprovedAndARefusedCall) {
  const std::string id = conversation();
  EXPECT_THAT(turn(id, "hello there"), HasSubstr("Echo: hello there")) << last_failure(id);
  EXPECT_FALSE(events<hub::event::Commands>(id).empty()) << "it offers commands of its own";

  begin(id, make("made.txt"));
  const hub::Ask ask = asked();
  EXPECT_EQ(ask.detail, "echo hi > made.txt");
  EXPECT_EQ(file("made.txt"), "");
  answer(ask, hub::OptionKind::allow_once);
  until_idle(id);
  EXPECT_EQ(file("made.txt"), "hi\n");
  EXPECT_EQ(events<hub::event::ToolEnd>(id).back().state, hub::ToolEndState::done);

  begin(id, make("other.txt"));
  answer(asked(), hub::OptionKind::reject_once);
  until_idle(id);
  EXPECT_EQ(file("other.txt"), "");
  EXPECT_EQ(events<hub::event::ToolEnd>(id).back().state, hub::ToolEndState::rejected);
}

TEST_F(CopilotCli, AnEditIsShownAsADiff) {
  const std::string id = conversation();
  begin(id, R"(call:create {"path":")" + base + R"(/work/new.txt","file_text":"written\n"})");
  const hub::Ask ask = asked();
  ASSERT_TRUE(ask.diff);
  EXPECT_EQ(ask.diff->after, "written\n");
  EXPECT_EQ(file("new.txt"), "");
  answer(ask, hub::OptionKind::allow_once);
  until_idle(id);
  EXPECT_EQ(file("new.txt"), "written\n") << last_failure(id);
}

// Copilot stores its steps in its own database, with its tool `sql`, and reports a plan after changes. This version reports the
// plan without step names; a thought names the current step.
TEST_F(CopilotCli, APlan) {
  const std::string id = conversation(hub::Mode::yolo);
  turn(
      id,
      R"sql(call:sql {"description":"Plan","query":"INSERT INTO todos (id, title, status) VALUES ('a','read the files','in_progress'), ('b','write','pending')"})sql");
  EXPECT_FALSE(events<hub::event::Plan>(id).empty()) << said(id) << last_failure(id);
  std::string thought;
  for (const hub::event::ThinkingContent& one : events<hub::event::ThinkingContent>(id)) thought += one.text;
  EXPECT_THAT(thought, HasSubstr("read the files"));
}

TEST_F(CopilotCli, AStop) {
  const std::string id = conversation();
  begin(id, "lorem:50 slow:200");
  until([&] { return !said(id).empty(); }, "its first words");
  ASSERT_TRUE(hub->submit_at_once(id, hub::StopTurn{}));
  until_idle(id);
  EXPECT_EQ(last_stop(id), hub::StopReason::cancelled);
  EXPECT_THAT(turn(id, "and again"), HasSubstr("Echo: and again")) << last_failure(id);
}

}  // namespace
}  // namespace parlance::test
