// SPDX-License-Identifier: Apache-2.0
// A session of the real Claude Code over several prompts: changes between prompts, and the remains after a crash.
#include <algorithm>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/turn_event.h"
#include "tests/peers/claude/cli_fixture.h"

namespace parlance::service {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(ClaudeCli, AChangedModelOrModeAppliesFromTheNextPrompt) {
  hooks = {{.event = "PreToolUse", .command = "cat > seen.json"}};
  open_hub();
  const std::string id = conversation();
  begin(id, step("text"));
  until_idle(id);
  ASSERT_TRUE(loop.block_on(hub->submit(id, hub::ChangeSettings{{.model = "haiku"}})));
  begin(id, step("think"));
  until_idle(id);
  const std::vector<pid_t> processes = processes_with("ANTHROPIC_BASE_URL", url);
  EXPECT_THAT(model_for("text"), Not(HasSubstr("haiku")));
  EXPECT_THAT(model_for("think"), HasSubstr("haiku"));

  begin(id, bash_step("touch made.txt") + step("echo"));  // and in the middle of a turn
  const hub::Ask ask = asked();
  EXPECT_THAT(read_file(base + "/work/seen.json"), HasSubstr(R"("permission_mode":"default")"));
  ASSERT_TRUE(loop.block_on(hub->submit(id, hub::ChangeSettings{{.mode = hub::Mode::auto_edit, .model = "sonnet"}})));
  answer(ask, "allow_once");
  until_idle(id);
  begin(id, tool_step("Write", R"({"file_path":")" + base + R"(/work/b.txt","content":"b"})") + step("images"));
  until_idle(id);
  EXPECT_THAT(model_for("images"), HasSubstr("sonnet"));
  EXPECT_THAT(read_file(base + "/work/seen.json"), HasSubstr(R"("permission_mode":"default")")) << "it never decides alone";
  EXPECT_EQ(read_file(base + "/work/b.txt"), "b");
  // The CLI at least; its short-lived children may have ended.
  EXPECT_TRUE(std::ranges::any_of(processes_with("ANTHROPIC_BASE_URL", url), [&](pid_t pid) {
    return std::ranges::find(processes, pid) != processes.end();
  })) << "the same process all the time";
  EXPECT_TRUE(events<hub::event::Failure>(id).empty());
}

TEST_F(ClaudeCli, APromptDuringATurnIsHandledAfterwards) {
  const std::string id = conversation();
  begin(id, bash_step("touch first.txt") + step("echo"));
  const hub::Ask first = asked();
  begin(id, bash_step("touch second.txt") + step("echo"));
  EXPECT_EQ(hub->find(id)->queued.size(), 1U);
  EXPECT_EQ(events<hub::event::TurnStart>(id).size(), 1U);
  answer(first, "allow_once");
  until([&] { return events<hub::event::TurnStart>(id).size() == 2; }, "the second turn");
  EXPECT_TRUE(std::filesystem::exists(base + "/work/first.txt"));
  const hub::Ask second = asked();
  EXPECT_EQ(second.detail, "touch second.txt");
  answer(second, "allow_once");
  until_idle(id);
  EXPECT_TRUE(std::filesystem::exists(base + "/work/second.txt"));
  EXPECT_TRUE(hub->find(id)->queued.empty());
  ASSERT_EQ(events<hub::event::TurnEnd>(id).size(), 2U);
  for (const auto& end : events<hub::event::TurnEnd>(id)) EXPECT_EQ(end.stop_reason, hub::StopReason::end_turn);
}

TEST_F(ClaudeCli, ALimitOfTurnsIsReportedAsSuch) {
  max_turns = 1;
  open_hub();
  const std::string id = conversation(hub::Mode::yolo);
  begin(id, bash_step("touch one.txt") + bash_step("touch two.txt") + step("echo"));
  until_idle(id);
  EXPECT_EQ(last_stop(id), hub::StopReason::max_turns);
  EXPECT_TRUE(std::filesystem::exists(base + "/work/one.txt"));
  EXPECT_FALSE(std::filesystem::exists(base + "/work/two.txt"));
  ASSERT_EQ(events<hub::event::Failure>(id).size(), 1U);
  EXPECT_EQ(events<hub::event::Failure>(id)[0].code, "max_turns");

  begin(id, step("text"));  // each prompt has a limit of its own
  until_idle(id);
  EXPECT_EQ(last_stop(id), hub::StopReason::end_turn);
  EXPECT_EQ(said(id), "ok");
}

TEST_F(ClaudeCli, APromptMayBringALimitOfTurnsOfItsOwn) {
  const std::string id = conversation(hub::Mode::yolo);
  json::Object first;
  first.set("text", "remembered");
  begin(id, step("text", std::move(first)));
  until_idle(id);
  const std::string session = hub->find(id)->agent_session.id;
  ASSERT_TRUE(loop.block_on(
      hub->submit(id, hub::SendPrompt{.text = bash_step("touch one.txt") + bash_step("touch two.txt") + step("echo"),
                                      .options = {.most_rounds = 1}})));
  until_idle(id);
  EXPECT_EQ(last_stop(id), hub::StopReason::max_turns);
  EXPECT_TRUE(std::filesystem::exists(base + "/work/one.txt"));
  EXPECT_FALSE(std::filesystem::exists(base + "/work/two.txt"));
  begin(id, bash_step("touch three.txt") + bash_step("touch four.txt") + step("text"));  // and the next session has none
  until_idle(id);
  EXPECT_EQ(last_stop(id), hub::StopReason::end_turn);
  EXPECT_TRUE(std::filesystem::exists(base + "/work/four.txt"));
  EXPECT_EQ(hub->find(id)->agent_session.id, session) << "one session all along";
}

TEST_F(ClaudeCli, ACrashIsReportedAndTheSessionContinues) {
  const std::string id = conversation();
  json::Object first;
  first.set("text", "remembered");
  begin(id, step("text", std::move(first)));
  until_idle(id);
  const std::string session = hub->find(id)->agent_session.id;
  ASSERT_FALSE(session.empty());
  begin(id, bash_step("touch made.txt") + step("echo"));
  const hub::Ask ask = asked();
  // The CLI writes its sessions shortly after announcing them: after an earlier kill, no session exists (the next test).
  until([&] { return read_file(transcript(session)).find("remembered") != std::string::npos; }, "the session to be written");
  crash();
  until_idle(id);
  EXPECT_EQ(last_stop(id), hub::StopReason::error);
  EXPECT_EQ(store.asks.at(ask.id).state, hub::AskState::orphaned);
  EXPECT_THAT(events<hub::event::Failure>(id).back().message, HasSubstr("killed by signal 9"));

  begin(id, bash_step("touch made.txt") + step("echo"));
  answer(asked(), "allow_once");
  until_idle(id);
  EXPECT_EQ(last_stop(id), hub::StopReason::end_turn);
  EXPECT_TRUE(std::filesystem::exists(base + "/work/made.txt"));

  open_hub();  // and over a restart of ours
  begin(id, step("text"));
  until_idle(id);
  EXPECT_EQ(last_stop(id), hub::StopReason::end_turn);
  EXPECT_EQ(hub->find(id)->agent_session.id, session);
  EXPECT_EQ(events<hub::event::Failure>(id).size(), 1U) << "resumed, not begun anew";
}

TEST_F(ClaudeCli, AMissingSessionIsReportedAndTheConversationContinues) {
  const std::string id = conversation();
  begin(id, step("text"));
  until_idle(id);
  const std::string session = hub->find(id)->agent_session.id;
  until([&] { return !transcript(session).empty(); }, "the session to be written");
  begin(id, bash_step("touch made.txt") + step("echo"));
  static_cast<void>(asked());
  crash();
  until_idle(id);
  std::filesystem::remove(transcript(session));

  begin(id, bash_step("touch made.txt") + step("echo"));
  answer(asked(), "allow_once");
  until_idle(id);
  EXPECT_EQ(last_stop(id), hub::StopReason::end_turn);
  EXPECT_TRUE(std::filesystem::exists(base + "/work/made.txt"));
  const auto failures = events<hub::event::Failure>(id);
  ASSERT_EQ(failures.size(), 2U);
  EXPECT_EQ(failures[1].code, "session_lost");
  EXPECT_NE(hub->find(id)->agent_session.id, session);
  EXPECT_FALSE(hub->find(id)->agent_session.empty());
}

}  // namespace
}  // namespace parlance::service
