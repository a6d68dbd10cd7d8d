// SPDX-License-Identifier: Apache-2.0
// Qwen Code (0.24.4), a coding agent by others, with a scripted model: a prompt, an approved and a refused call, a plan, a stop.
#include "parlance/hub/conversation/plan.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/usage.h"
#include "tests/peers/acp/agent_fixture.h"

namespace parlance::test {
namespace {

using ::testing::HasSubstr;

class QwenCode : public AcpAgentTest {
 protected:
  void SetUp() override {
    needs("qwen-code", "@qwen-code/qwen-code");
    if (IsSkipped() || HasFatalFailure()) return;
    const std::string url = started_model("mock-model", {"--any-tool"});  // it lists todo_write only after a search …
    std::filesystem::create_directories(base + "/home/.qwen");
    std::ofstream(base + "/home/.qwen/settings.json") << R"({"tools":{"todoWrite":{"enabled":true}}})";  // … and off by default
    driver::AcpAgentSettings settings{.name = "Qwen Code"};
    settings.command = {PARLANCE_NODE, peers_folder() + "/qwen-code/node_modules/@qwen-code/qwen-code/cli.js", "--acp",
                        "--auth-type", "openai"};
    settings.environment = {
        {"HOME", base + "/home"}, {"OPENAI_API_KEY", "dummy"}, {"OPENAI_BASE_URL", url + "/v1"}, {"OPENAI_MODEL", "mock"}};
    open_hub(std::move(settings));
  }
};

TEST_F(QwenCode, APromptAnApprovedAndARefusedCall) {
  const std::string id = conversation();
  EXPECT_THAT(turn(id, "hello there"), HasSubstr("Echo: hello there")) << last_failure(id);
  EXPECT_GT(events<hub::event::Usage>(id).back().input_tokens, 0U);

  begin(id, R"(call:run_shell_command {"command":"echo hi > made.txt","description":"make a file","is_background":false})");
  hub::Ask ask = asked();
  EXPECT_EQ(ask.detail, "echo hi > made.txt");
  answer(ask, hub::OptionKind::allow_once);
  until_idle(id);
  EXPECT_EQ(file("made.txt"), "hi\n");
  EXPECT_EQ(events<hub::event::ToolEnd>(id).back().state, hub::ToolEndState::done);

  begin(id, R"(call:run_shell_command {"command":"echo no > other.txt","description":"make a file","is_background":false})");
  answer(asked(), hub::OptionKind::reject_once);
  until_idle(id);
  EXPECT_EQ(file("other.txt"), "");
  EXPECT_EQ(events<hub::event::ToolEnd>(id).back().state, hub::ToolEndState::rejected) << "though it says nothing more of it";
}

TEST_F(QwenCode, AnEditIsShownAsADiffAndWrittenByUs) {
  const std::string id = conversation(hub::Mode::yolo);
  turn(id, R"(call:write_file {"file_path":")" + base + R"(/work/new.txt","content":"written\n"})");
  EXPECT_EQ(file("new.txt"), "written\n") << last_failure(id);
  bool shown = false;
  for (const auto& update : events<hub::event::ToolUpdate>(id))
    for (const auto& one : update.content.value_or(std::vector<hub::ToolContent>{}))
      shown = shown || std::holds_alternative<hub::Diff>(one);
  EXPECT_TRUE(shown);
}

TEST_F(QwenCode, AnEditIsAskedAboutOnce) {
  const std::string id = conversation();
  begin(id, R"(call:write_file {"file_path":")" + base + R"(/work/once.txt","content":"written\n"})");
  answer(asked(), hub::OptionKind::allow_once);
  until_idle(id);
  EXPECT_EQ(file("once.txt"), "written\n") << last_failure(id);
}

TEST_F(QwenCode, APlanAndAStop) {
  const std::string id = conversation();
  turn(
      id,
      R"(call:todo_write {"todos":[{"id":"1","content":"read","status":"in_progress"},{"id":"2","content":"write","status":"pending"}]})");
  ASSERT_FALSE(events<hub::event::Plan>(id).empty()) << said(id) << last_failure(id);
  EXPECT_EQ(events<hub::event::Plan>(id).back().entries.size(), 2U);
  begin(id, "lorem:50 slow:200");
  until([&] { return !said(id).empty(); }, "its first words");
  ASSERT_TRUE(hub->submit_at_once(id, hub::StopTurn{}));
  until_idle(id);
  EXPECT_EQ(last_stop(id), hub::StopReason::cancelled);
}

}  // namespace
}  // namespace parlance::test
