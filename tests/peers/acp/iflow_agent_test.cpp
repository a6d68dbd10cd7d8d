// SPDX-License-Identifier: Apache-2.0
// The scripted agent of the iFlow dialect (mock-iflow) behind our client and driver, in all its scenarios.
#include <csignal>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/prompt.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "tests/peers/acp/agent_fixture.h"

namespace parlance::test {
namespace {

using ::testing::HasSubstr;

class AcpIflow : public AcpAgentTest {
 protected:
  void SetUp() override { needs("iflow-sdk", "ws"); }
  // `more`: flags of the agent.
  void open(std::vector<std::string> more = {}) {
    std::vector<std::string> command{
        PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/acp/mock-iflow/server.mjs", "--port", "0", "--gap", "0"};
    command.insert(command.end(), more.begin(), more.end());
    ::setenv("IFLOW_PEER", (peers_folder() + "/iflow-sdk").c_str(), 1);
    const std::string ready = started(std::move(command));
    const std::size_t at = ready.find("ws://");
    ASSERT_NE(at, std::string::npos) << ready;
    open_hub({.name = "iFlow", .url = ready.substr(at), .flavour = acp::Flavour::iflow});
  }
};

TEST_F(AcpIflow, WaitsForReadySignsInAndPassesEveryUpdate) {
  open();
  const std::string id = conversation();
  begin(id, "scenario:updates");
  until_idle(id);
  EXPECT_EQ(last_stop(id), hub::StopReason::end_turn) << last_failure(id);
  EXPECT_THAT(said(id), HasSubstr("plain textinline  tail"));
  std::string thought;
  for (const auto& one : events<hub::event::ThinkingContent>(id)) thought += one.text;
  EXPECT_EQ(thought, "native thoughthidden");
  const auto starts = events<hub::event::ToolStart>(id);
  EXPECT_EQ(starts.size(), events<hub::event::ToolEnd>(id).size());
  EXPECT_EQ(starts.front().tool, "read_file");
  EXPECT_EQ(std::ranges::count(starts, "sub_agent", &hub::event::ToolStart::tool), 2);
  EXPECT_EQ(events<hub::event::Commands>(id).back().commands.front().name, "compress");
  EXPECT_EQ(hub->find(id)->mode, hub::Mode::plan) << "it changed its mode itself";
}

TEST_F(AcpIflow, AnAgentWithoutReadyIsUsedAnyway) {
  open({"--ready-delay", "-1"});
  EXPECT_THAT(turn(conversation(), "hello"), HasSubstr("echo: ")) << "after two seconds";
}

TEST_F(AcpIflow, ABurstLosesNoUpdate) {
  open({"--auth", "yes"});
  const std::string id = conversation();
  for (const int count : {2, 50, 500}) {
    const std::string text = turn(id, "scenario:burst {\"n\":" + std::to_string(count) + "}");
    EXPECT_EQ(std::ranges::count(text, 'm'), count);
  }
  EXPECT_EQ(std::ranges::count(turn(id, "scenario:flood {\"n\":10000,\"text\":\"x\"}"), 'x'), 10'000);
}

TEST_F(AcpIflow, AllSetsOfOptions) {
  open();
  const std::string id = conversation();
  struct Case {
    const char* set;
    hub::OptionKind kind;
    const char* chosen;
  };
  for (const Case& one : {Case{R"(["once","always","cancel"])", hub::OptionKind::allow_once, "proceed_once"},
                          Case{R"(["once","always","cancel"])", hub::OptionKind::reject_once, "\"optionId\":\"cancel\""},
                          Case{R"(["server","tool","cancel"])", hub::OptionKind::allow_always, "proceed_always_server"},
                          Case{R"(["once","never"])", hub::OptionKind::reject_always, "reject_always"}}) {
    begin(id, std::string("scenario:permission {\"set\":") + one.set + "}");
    answer(asked(), one.kind);
    until_idle(id);
    EXPECT_THAT(said(id), HasSubstr(one.chosen)) << one.set;
  }
  EXPECT_THAT(turn(id, R"(scenario:permission {"set":["cancel"]})"), HasSubstr("cancelled")) << "nothing there to allow";
}

TEST_F(AcpIflow, QuestionsAndPlans) {
  open();
  const std::string id = conversation();
  begin(id, "scenario:questions");
  const hub::Ask questions = asked();
  ASSERT_EQ(questions.questions->size(), 2U);
  ASSERT_TRUE(loop.block_on(
      hub->submit(questions.conversation,
                  hub::AnswerRequest{.request = questions.id,
                                     .answer = {.digest = questions.digest, .answers = {{"sqlite"}, {"tests", "docs"}}}})));
  until_idle(id);
  EXPECT_THAT(said(id), HasSubstr(R"({"answers":{"Database":"sqlite","Extras":["tests","docs"]}})"));
  begin(id, "scenario:planexit");
  const hub::Ask plan = asked();
  EXPECT_EQ(plan.plan, "1. read\n2. write");
  answer(plan, hub::OptionKind::feedback, "smaller");
  until_idle(id);
  EXPECT_EQ(events<hub::event::TurnEnd>(id).size(), 2U);
  EXPECT_THAT(said(id), ::testing::AllOf(HasSubstr(R"("approved":false)"), HasSubstr("echo: ")));
}

TEST_F(AcpIflow, ProtocolEdgesDoNotStopTheAgent) {
  open();
  const std::string id = conversation();
  EXPECT_THAT(turn(id, "scenario:unknown"), HasSubstr("-32601"));
  for (const char* scenario : {"unknown_notification", "legacy", "control", "badjson", "nullresult"}) {
    turn(id, std::string("scenario:") + scenario);
    EXPECT_EQ(last_stop(id), hub::StopReason::end_turn) << scenario << " " << last_failure(id);
  }
  EXPECT_EQ((turn(id, R"(scenario:stop {"reason":"max_tokens"})"), last_stop(id)), hub::StopReason::max_tokens);
  EXPECT_EQ(std::ranges::count(turn(id, R"(scenario:spaced {"n":20,"ms":5})"), 'm'), 20);
  turn(id, "scenario:autherror");
  EXPECT_THAT(last_failure(id), HasSubstr("Authentication required"));
  turn(id, "scenario:error");
  EXPECT_THAT(last_failure(id), HasSubstr("model overloaded"));
  EXPECT_THAT(turn(id, "hello"), HasSubstr("hello")) << "in the same session, resumed";
}

TEST_F(AcpIflow, AClosedConnectionIsRemade) {
  open();
  const std::string id = conversation();
  turn(id, "scenario:close");
  EXPECT_EQ(last_stop(id), hub::StopReason::error);
  EXPECT_THAT(turn(id, "hello"), HasSubstr("hello"));
}

TEST_F(AcpIflow, ADeathDuringARequestEndsTheTurnAndTheRequest) {
  for (const char* what : {"permission", "questions", "planexit"}) {
    SCOPED_TRACE(what);
    open();
    const std::string id = conversation();
    begin(id, std::string("scenario:") + what);
    const hub::Ask ask = asked();
    programs.back()->signal_group(SIGKILL);
    until_idle(id);
    EXPECT_EQ(last_stop(id), hub::StopReason::error);
    EXPECT_THAT(last_failure(id), HasSubstr("the connection ended"));
    for (const hub::Ask& one : open_asks(*hub)) EXPECT_FALSE(one.id == ask.id && one.state == hub::AskState::open);
    turn(id, "hello");
    EXPECT_EQ(last_stop(id), hub::StopReason::error) << "nobody listens there";
  }
}

TEST_F(AcpIflow, ADeathDuringALoadIsNotAnEmptySession) {
  open();
  const std::string id = conversation();
  turn(id, "hello");
  store.set_agent_session(id, "dies");
  open_hub(agent);
  turn(id, "are you there");
  EXPECT_EQ(last_stop(id), hub::StopReason::error);
  EXPECT_EQ(store.row(id).agent_session.id, "dies") << "it is not given up";
}

TEST_F(AcpIflow, AStopReachesTheAgent) {
  open();
  const std::string id = conversation();
  begin(id, "scenario:wait");
  until([&] { return said(id) == "working"; }, "the agent to wait");
  ASSERT_TRUE(hub->submit_at_once(id, hub::StopTurn{}));
  until_idle(id);
  EXPECT_EQ(last_stop(id), hub::StopReason::cancelled);
}

TEST_F(AcpIflow, FilesAreReadUnderTheGuard) {
  open();
  std::ofstream(base + "/work/a.txt") << "alpha\nbeta\n";
  const std::string id = conversation();
  const auto read = [&](const std::string& path) {
    return turn(id, R"(scenario:call {"method":"fs/read_text_file","params":{"path":")" + path + R"(","line":2,"limit":1}})");
  };
  EXPECT_THAT(read(base + "/work/a.txt"), HasSubstr(R"({"content":"beta"})"));
  EXPECT_THAT(read(base + "/work/none.txt"), ::testing::AllOf(HasSubstr("-32002"), HasSubstr("File not found")));
}

TEST_F(AcpIflow, AMissingSessionNeedsADecision) {
  open();
  const std::string id = conversation();
  turn(id, "hello");
  store.set_agent_session(id, "missing");
  open_hub(agent);
  begin(id, "are you there");
  const hub::Ask ask = asked();
  EXPECT_THAT(ask.why, HasSubstr("Session not found"));
  answer(ask, hub::OptionKind::allow_once);
  until_idle(id);
  EXPECT_THAT(said(id), HasSubstr("are you there"));
}

}  // namespace
}  // namespace parlance::test
