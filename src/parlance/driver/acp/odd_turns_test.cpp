// SPDX-License-Identifier: Apache-2.0
// Unusual turns: refused prompts, rejections with words, late updates, repeated call ids.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/driver/acp/limits.h"
#include "parlance/driver/acp/test_support.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/protocol/jsonrpc/dialect.h"

namespace parlance::driver {
namespace {

using test::AcpBench;
using test::sends;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::vector<acp::PermissionOption> yes_or_no{
    {.option_id = "yes", .name = "Yes", .kind = {.value = acp::PermissionKind::allow_once}},
    {.option_id = "no", .name = "No", .kind = {.value = acp::PermissionKind::reject_once}}};
constexpr const char* command_call =
    R"({"toolCallId":"t","title":"make x","kind":"execute","status":"pending","rawInput":{"command":"make x > out.txt"}})";

std::string words_of_prompt(const acp::Prompt& prompt) { return *acp::text_of(prompt.prompt.front()); }

acp::Update update(std::string_view json) {
  auto read = json::from_text<acp::Update>(json);
  PARLANCE_CHECK(read, "an update");
  return *std::move(read);
}

// The first prompt requests permission for each of `calls` in order, and ends with `end`. Later prompts end at once.
auto asks_first(AcpBench& bench, std::vector<std::string> calls, std::vector<std::string>& replies,
                acp::StopReason end = acp::StopReason::end_turn) {
  return [&bench, &replies, calls = std::move(calls), end](const acp::Prompt& prompt,
                                                           Peer& agent) -> Task<Result<acp::PromptResult>> {
    if (bench.agent_script.prompts.size() > 1) co_return acp::PromptResult{};
    for (const std::string& call : calls) {
      const auto reply = co_await agent.call(
          acp::method::request_permission,
          {.session_id = prompt.session_id, .tool_call = *json::from_text<acp::ToolCallUpdate>(call), .options = yes_or_no});
      replies.push_back(reply ? json::to_text(*reply) : reply.error().message);
    }
    co_return acp::PromptResult{.stop_reason = {.value = end}};
  };
}

// ---- refused prompts -----------------------------------------------------------------------------------------------------

TEST(OddTurns, ARefusedPromptKeepsTheProcessAndTheSession) {
  AcpBench bench;  // an agent without session/load
  bench.agent_script.prompt = [](const acp::Prompt&, Peer&) -> Task<Result<acp::PromptResult>> {
    co_return fail(jsonrpc::with_code(429, "Too many requests"));
  };
  const std::string id = bench.acp_conversation();
  bench.begin(id, "one");
  EXPECT_EQ(bench.trace(id), "turn_start user error turn_end:error");
  bench.agent_script.prompt = {};
  bench.begin(id, "two");
  EXPECT_EQ(bench.links.size(), 1U);
  EXPECT_THAT(bench.agent_script.asked, ElementsAre("initialize", "session/new", "session/prompt", "session/prompt"));
  EXPECT_THAT(bench.trace(id), HasSubstr("turn_start user turn_end"));
}

TEST(OddTurns, AnAgentWithALostSessionIsOpenedAgain) {
  AcpBench bench;
  bench.agent_script.initialized.capabilities = acp::AgentCapabilities{.load_session = true};
  bench.agent_script.prompt = [](const acp::Prompt&, Peer&) -> Task<Result<acp::PromptResult>> {
    co_return fail(jsonrpc::with_code(-32603, "Internal error", R"({"details":"Session not found: s-1"})"));
  };
  const std::string id = bench.acp_conversation();
  bench.begin(id, "one");
  bench.agent_script.prompt = {};
  bench.begin(id, "two");
  EXPECT_EQ(bench.links.size(), 2U);
  EXPECT_THAT(bench.agent_script.asked,
              ElementsAre("initialize", "session/new", "session/prompt", "initialize", "session/load", "session/prompt"));
}

// ---- words of a rejection --------------------------------------------------------------------------------------------------

TEST(OddTurns, WordsOfARejectionAreTheNextPrompt) {
  for (const auto end : {acp::StopReason::end_turn, acp::StopReason::cancelled}) {
    std::vector<std::string> replies;
    AcpBench bench;
    bench.agent_script.prompt = asks_first(bench, {command_call}, replies, end);
    const std::string id = bench.acp_conversation();
    bench.begin(id);
    bench.choose(bench.asked(), "no", "use ninja");
    EXPECT_THAT(replies, ElementsAre(HasSubstr(R"("optionId":"no")")));
    ASSERT_EQ(bench.agent_script.prompts.size(), 2U);
    EXPECT_EQ(words_of_prompt(bench.agent_script.prompts.back()), "use ninja");
    EXPECT_EQ(bench.events<hub::event::TurnEnd>(id).size(), 1U) << "one turn of the person's";
    EXPECT_EQ(bench.events<hub::event::ToolEnd>(id).front().state, hub::ToolEndState::rejected);
  }
}

TEST(OddTurns, ThePersonIsNotifiedOfUndeliveredWords) {
  std::vector<std::string> replies;
  AcpBench bench;
  bench.agent_script.prompt = asks_first(bench, {command_call}, replies);
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  bench.choose(bench.asked(), "parlance:reject_and_stop", "use ninja");
  EXPECT_EQ(bench.agent_script.prompts.size(), 1U);
  const auto notices = bench.events<hub::event::Notice>(id);
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_THAT(notices.front().text, HasSubstr("Tester ended the turn without the words of your answer"));
  EXPECT_EQ(notices.front().detail, "use ninja");
}

TEST(OddTurns, WordsOfManyRejectionsEndInANotice) {
  AcpBench bench;
  bench.agent_script.prompt = [](const acp::Prompt& prompt, Peer& agent) -> Task<Result<acp::PromptResult>> {
    static_cast<void>(
        co_await agent.call(acp::method::request_permission, {.session_id = prompt.session_id,
                                                              .tool_call = *json::from_text<acp::ToolCallUpdate>(command_call),
                                                              .options = yes_or_no}));
    co_return acp::PromptResult{};
  };
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  for (int i = 0; i <= limits::acp_follow_ups; ++i) bench.choose(bench.asked(), "no", "never");
  EXPECT_EQ(bench.agent_script.prompts.size(), limits::acp_follow_ups + 1U);
  EXPECT_EQ(bench.events<hub::event::Notice>(id).size(), 1U);
  EXPECT_EQ(bench.events<hub::event::TurnEnd>(id).size(), 1U);
}

// ---- calls -----------------------------------------------------------------------------------------------------------------

// The agent of a bug report gives every permission the same id.
TEST(OddTurns, ASecondPermissionUnderOneIdIsAnotherCall) {
  std::vector<std::string> replies;
  AcpBench bench;
  bench.agent_script.prompt =
      asks_first(bench,
                 {R"({"toolCallId":"w","title":"Edit file","kind":"edit","rawInput":{"fileName":"/project/a.txt"},
                      "content":[{"type":"diff","path":"/project/a.txt","oldText":"1","newText":"2"}]})",
                  R"({"toolCallId":"w","title":"Edit file","kind":"edit","rawInput":{"fileName":"/project/b.txt"}})"},
                 replies);
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  const hub::Ask first = bench.asked();
  EXPECT_EQ(first.diff->path, "/project/a.txt");
  bench.choose(first, "yes");
  const hub::Ask second = bench.asked();
  EXPECT_FALSE(second.diff) << "the diff of a.txt was asked about before";
  EXPECT_NE(second.call, first.call);
  bench.choose(second, "no");
  EXPECT_EQ(bench.events<hub::event::ToolStart>(id).size(), 2U);
  const auto ends = bench.events<hub::event::ToolEnd>(id);
  ASSERT_EQ(ends.size(), 2U);
  EXPECT_EQ(ends[0].state, hub::ToolEndState::done);
  EXPECT_EQ(ends[1].state, hub::ToolEndState::rejected);
}

TEST(OddTurns, ARepeatedPermissionStaysOneCall) {
  std::vector<std::string> replies;
  AcpBench bench;
  bench.agent_script.prompt = asks_first(bench, {command_call, command_call}, replies);
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  bench.choose(bench.asked(), "yes");
  bench.choose(bench.asked(), "yes");
  EXPECT_EQ(bench.events<hub::event::ToolStart>(id).size(), 1U);
}

TEST(OddTurns, ALateUpdateDoesNotOpenAnEndedCallAgain) {
  const std::string late = R"({"sessionUpdate":"tool_call_update","toolCallId":"t","title":"x","status":"in_progress"})";
  AcpBench bench;
  bench.agent_script.prompt = sends({R"({"sessionUpdate":"tool_call","toolCallId":"t","title":"x"})"});
  const std::string id = bench.acp_conversation();
  bench.begin(id, "one");
  static_cast<void>(bench.links.back()->notify(acp::method::update, {.session_id = "s-1", .update = update(late)}));
  bench.settle();
  bench.agent_script.prompt = sends({late});
  bench.begin(id, "two");
  EXPECT_EQ(bench.trace(id), "turn_start user tool_start tool_end turn_end turn_start user turn_end");
}

TEST(OddTurns, AStoppedCallEndsAsCancelled) {
  for (const bool agent_reports_a_failure : {false, true}) {
    AcpBench bench;
    bench.agent_script.prompt = [&](const acp::Prompt&, Peer& agent) -> Task<Result<acp::PromptResult>> {
      const auto send = [&agent](std::string_view json) {
        static_cast<void>(agent.notify(acp::method::update, {.session_id = "s-1", .update = update(json)}));
      };
      send(R"({"sessionUpdate":"tool_call","toolCallId":"t","title":"x"})");
      co_await bench.agent_script.proceed.wait();
      if (agent_reports_a_failure) send(R"({"sessionUpdate":"tool_call_update","toolCallId":"t","status":"failed"})");
      co_return acp::PromptResult{.stop_reason = {.value = acp::StopReason::cancelled}};
    };
    const std::string id = bench.acp_conversation();
    bench.begin(id);
    ASSERT_TRUE(bench.hub->submit_at_once(id, hub::StopTurn{}));
    bench.settle();
    EXPECT_THAT(bench.trace(id), HasSubstr("tool_end:cancelled turn_end:cancelled"));
  }
}

// ---- history of a loaded session -------------------------------------------------------------------------------------------

// A conversation whose agent will load its session.
struct LoadingBench : AcpBench {
  LoadingBench() {
    settings.history_quiet = limits::acp_history_quiet;
    agent_script.initialized.capabilities = acp::AgentCapabilities{.load_session = true};
    id = acp_conversation();
    begin(id, "one");
    restart();
  }
  std::string id;
};

TEST(OddTurns, LateHistoryOfALoadedSessionIsNoNewText) {
  LoadingBench bench;
  const std::string& id = bench.id;
  const auto send_late = [&bench](Peer& agent) -> Task<void> {
    for (const char* text : {"old", "older"}) {
      co_await sleep_for(bench.loop, limits::acp_history_quiet / 2);
      static_cast<void>(agent.notify(acp::method::update, acp::test::said(text)));
    }
  };
  bench.agent_script.load = [&](const acp::LoadSession&, Peer& agent) { bench.scope.start(send_late(agent)); };
  bench.agent_script.prompt = sends({R"({"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"new"}})"});
  bench.begin(id, "two");
  bench.loop.advance(limits::acp_history_quiet * 3);
  EXPECT_EQ(bench.said(id), "new");
  EXPECT_THAT(bench.trace(id), ::testing::EndsWith("turn_start user text turn_end"));
}

TEST(OddTurns, PromptDuringARestartLosesNoText) {
  LoadingBench bench;
  const std::string& id = bench.id;
  bench.agent_script.prompt = sends({R"({"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"new"}})"});
  bench.scope.start([](hub::Hub& hub, std::string conversation) -> Task<void> {
    EXPECT_TRUE(co_await hub.submit(std::move(conversation), hub::RestartAgent{}));
  }(*bench.hub, id));
  bench.settle();
  bench.begin(id, "two");  // the history may still come
  bench.loop.advance(limits::acp_history_quiet * 3);
  EXPECT_EQ(bench.said(id), "new");
}

// ---- MCP servers -----------------------------------------------------------------------------------------------------------

TEST(OddTurns, ThePersonIsNotifiedOfAServerWithAnUnsupportedTransport) {
  AcpBench bench({.mcp_servers = [] {
    return std::vector<toolbox::McpServerSettings>{{.name = "local", .command = {"local-server"}},
                                                   {.name = "far", .url = "https://far.example/mcp"}};
  }});
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  bench.begin(id);
  const auto notices = bench.events<hub::event::Notice>(id);
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_THAT(notices.front().text, HasSubstr("works without them: far"));
  EXPECT_THAT(notices.front().text, HasSubstr(": far."));
}

// ---- questions in a permission ---------------------------------------------------------------------------------------------

constexpr const char* question_call =  // a single line, as on the wire
    R"({"toolCallId":"q","title":"Ask user 2 questions","kind":"think","status":"pending","rawInput":{"questions":[)"
    R"({"question":"Which colour?","header":"Colour","options":[{"label":"Red","description":"warm"},{"label":"Blue"}]},)"
    R"({"question":"Which sizes?","header":"Size","multiSelect":true,"options":[{"label":"S"},{"label":"L"}]}]}})";

TEST(OddTurns, QuestionsInAPermissionRequestAreAnsweredByTheirIndex) {
  std::vector<std::string> replies;
  AcpBench bench;
  bench.agent_script.prompt = asks_first(bench, {question_call}, replies);
  const std::string id = bench.acp_conversation(hub::Mode::yolo);
  bench.begin(id);
  const hub::Ask ask = bench.asked();
  EXPECT_EQ(ask.kind, hub::AskKind::question);
  ASSERT_EQ(ask.questions->size(), 2U);
  EXPECT_EQ((*ask.questions)[1].options[1].label, "L");
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(
      ask.conversation,
      hub::AnswerRequest{.request = ask.id, .answer = {.digest = ask.digest, .answers = {{"Blue"}, {"S", "L"}}}})));
  bench.settle();
  EXPECT_THAT(replies,
              ElementsAre(::testing::AllOf(HasSubstr(R"("optionId":"yes")"), HasSubstr(R"("answers":{"0":"Blue","1":"S, L"})"))));
}

TEST(OddTurns, DeclinedQuestionsInAPermissionRequestAreRejected) {
  std::vector<std::string> replies;
  AcpBench bench;
  bench.agent_script.prompt = asks_first(bench, {question_call}, replies);
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  bench.choose(bench.asked(), std::string(hub::decline));
  EXPECT_THAT(replies, ElementsAre(HasSubstr(R"("optionId":"no")")));
}

TEST(OddTurns, QuestionsBesideACommandStayAPermission) {
  for (
      const char* call :
      {R"({"toolCallId":"q","title":"x","kind":"think","rawInput":{"questions":[{"question":"?"}],"command":"make x > out.txt"}})",
       R"({"toolCallId":"q","title":"x","kind":"execute","rawInput":{"questions":[{"question":"?"}]}})"}) {
    std::vector<std::string> replies;
    AcpBench bench;
    bench.agent_script.prompt = asks_first(bench, {call}, replies);
    bench.begin(bench.acp_conversation());
    EXPECT_EQ(bench.asked().kind, hub::AskKind::permission) << call;
  }
}

}  // namespace
}  // namespace parlance::driver
