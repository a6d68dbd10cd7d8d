// SPDX-License-Identifier: Apache-2.0
// An ACP agent in a hub: turns, resumed and lost sessions, broken connections, modes and options.
#include "parlance/driver/acp/agent_via_acp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/driver/acp/limits.h"
#include "parlance/driver/acp/test_support.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/protocol/jsonrpc/dialect.h"

namespace parlance::driver {
namespace {

using test::AcpBench;
using test::sends;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string first_text(const acp::Prompt& prompt) { return *acp::text_of(prompt.prompt.front()); }

TEST(AgentViaAcp, ATurnFromThePromptToItsEnd) {
  AcpBench bench;
  bench.agent_script.prompt = sends({R"({"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"hm"}})",
                                     R"({"sessionUpdate":"tool_call","toolCallId":"t","title":"x","status":"completed"})",
                                     R"({"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"done"}})"});
  const std::string id = bench.acp_conversation();
  bench.begin(id, "do it");
  EXPECT_EQ(bench.trace(id), "turn_start user think_start think think_end tool_start tool_end text turn_end");
  EXPECT_EQ(first_text(bench.agent_script.prompts.front()), "do it");
  EXPECT_THAT(bench.agent_script.asked, ElementsAre("initialize", "session/new", "session/prompt"));
  EXPECT_EQ(bench.hub->find(id)->agent_session.id, "s-1");
  bench.begin(id, "more");
  EXPECT_EQ(bench.links.size(), 1U) << "the same connection";
}

TEST(AgentViaAcp, PromptErrorContainsTheAgentsDetail) {
  AcpBench bench;
  bench.agent_script.prompt = [](const acp::Prompt&, Peer&) -> Task<Result<acp::PromptResult>> {
    co_return fail(jsonrpc::with_code(-32603, "Internal error", R"({"details":"model overloaded"})"));
  };
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  EXPECT_EQ(bench.trace(id), "turn_start user error turn_end:error");
  EXPECT_EQ(bench.events<hub::event::Failure>(id).front().message, "Internal error: model overloaded");
}

TEST(AgentViaAcp, BrokenConnectionFailsTheTurnAndIsNotReused) {
  AcpBench bench;
  bench.agent_script.initialized.capabilities = acp::AgentCapabilities{.load_session = true};
  bench.agent_script.prompt = [&bench](const acp::Prompt&, Peer& agent) -> Task<Result<acp::PromptResult>> {
    static_cast<void>(
        agent.notify(acp::method::update, {.session_id = "s-1", .update = {acp::ToolCall{{.tool_call_id = "t", .title = "x"}}}}));
    co_await bench.agent_script.proceed.wait();
    co_return acp::PromptResult{};
  };
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  bench.cut();
  bench.settle();
  EXPECT_THAT(bench.trace(id), HasSubstr("tool_start tool_end error turn_end:error"));
  bench.agent_script.prompt = {};
  bench.begin(id, "again");
  EXPECT_EQ(bench.links.size(), 2U);
  EXPECT_THAT(bench.agent_script.asked,
              ElementsAre("initialize", "session/new", "session/prompt", "initialize", "session/load", "session/prompt"));
  EXPECT_THAT(bench.trace(id), HasSubstr("turn_start user turn_end"));
}

TEST(AgentViaAcp, LostSessionIsReportedAndANewSessionOffered) {
  for (const bool begin_anew : {false, true}) {
    AcpBench again;
    again.agent_script.initialized.capabilities = acp::AgentCapabilities{.load_session = true};
    const std::string other = again.acp_conversation();
    again.store.set_agent_session(other, "missing");
    again.restart();
    again.begin(other);
    const hub::Ask ask = again.asked();
    EXPECT_EQ(ask.title, "Begin a new session?");
    EXPECT_THAT(ask.why, HasSubstr("Session not found"));
    again.choose(ask, begin_anew ? "new" : "stop");
    if (begin_anew) {
      EXPECT_THAT(again.trace(other), HasSubstr("notice turn_end"));
      EXPECT_EQ(again.hub->find(other)->agent_session.id, "s-1");
    } else {
      EXPECT_THAT(again.trace(other), HasSubstr("error turn_end:error"));
      EXPECT_TRUE(again.agent_script.prompts.empty()) << "no empty session in its place";
    }
  }
}

TEST(AgentViaAcp, AStopCancelsTheTurn) {
  AcpBench bench;
  bench.agent_script.prompt = [&bench](const acp::Prompt&, Peer&) -> Task<Result<acp::PromptResult>> {
    co_await bench.agent_script.proceed.wait();
    co_return acp::PromptResult{.stop_reason = {.value = acp::StopReason::cancelled}};
  };
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  ASSERT_TRUE(bench.hub->submit_at_once(id, hub::StopTurn{}));
  bench.settle();
  EXPECT_THAT(bench.trace(id), HasSubstr("turn_end:cancelled"));
  EXPECT_EQ(bench.agent_script.asked.back(), "session/cancel");
}

// ---- permissions -----------------------------------------------------------------------------------------------------------------------

// A turn with a request for one call; reports the answer as text.
auto asks_for(std::string call, std::vector<acp::PermissionOption> options) {
  return [call = std::move(call), options = std::move(options)](const acp::Prompt& prompt,
                                                                Peer& agent) -> Task<Result<acp::PromptResult>> {
    const auto answer = co_await agent.call(
        acp::method::request_permission,
        {.session_id = prompt.session_id, .tool_call = *json::from_text<acp::ToolCallUpdate>(call), .options = options});
    static_cast<void>(agent.notify(acp::method::update,
                                   acp::test::said(answer ? json::to_text(*answer) : answer.error().message, prompt.session_id)));
    co_return acp::PromptResult{};
  };
}
const std::vector<acp::PermissionOption> qwen_options{
    {.option_id = "proceed_always", .name = "Always", .kind = {.value = acp::PermissionKind::allow_always}},
    {.option_id = "proceed_once", .name = "Yes", .kind = {.value = acp::PermissionKind::allow_once}},
    {.option_id = "cancel", .name = "No", .kind = {.value = acp::PermissionKind::reject_once}}};
constexpr const char* shell_call =
    R"({"toolCallId":"t","title":"echo hi","kind":"execute","status":"pending","rawInput":{"command":"echo hi > made.txt"}})";

TEST(AgentViaAcp, PermissionReplyNamesTheChosenOption) {
  for (const std::string chosen : {"proceed_once", "cancel"}) {
    AcpBench bench;
    bench.agent_script.prompt = asks_for(shell_call, qwen_options);
    const std::string id = bench.acp_conversation();
    bench.begin(id);
    const hub::Ask ask = bench.asked();
    EXPECT_EQ(ask.detail, "echo hi > made.txt");
    EXPECT_TRUE(std::ranges::none_of(ask.options, [](const hub::AskOption& option) { return option.id == "proceed_always"; }));
    bench.choose(ask, chosen);
    EXPECT_THAT(bench.said(id), HasSubstr(R"("optionId":")" + chosen + '"'));
    EXPECT_EQ(bench.events<hub::event::ToolEnd>(id).front().state,
              chosen == "cancel" ? hub::ToolEndState::rejected : hub::ToolEndState::done);
  }
}

// The agent's own memory of answers would hide later calls from rules and hooks.
TEST(AgentViaAcp, AlwaysIsARuleOfTheHubAndTheAgentReceivesAllowOnce) {
  AcpBench bench;
  constexpr const char* fetch = R"({"toolCallId":"t","title":"x","kind":"fetch","status":"pending","rawInput":{"query":"x"}})";
  bench.agent_script.prompt = asks_for(fetch, qwen_options);
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  const hub::Ask ask = bench.asked();
  bench.choose(ask, "allow_folder");
  EXPECT_THAT(bench.said(id), HasSubstr(R"("optionId":"proceed_once")"));
  EXPECT_THAT(bench.hub->rules(), ElementsAre(testing::Field(&hub::Rule::folder, "/project")));
}

TEST(AgentViaAcp, RejectAndStopRejectsAndStops) {
  AcpBench bench;
  bench.agent_script.prompt = asks_for(shell_call, qwen_options);
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  bench.choose(bench.asked(), "parlance:reject_and_stop");
  EXPECT_THAT(bench.trace(id), HasSubstr("turn_end:cancelled"));
}

TEST(AgentViaAcp, RequestWithoutAllowOptionIsNeverAllowed) {
  AcpBench bench;
  bench.agent_script.prompt =
      asks_for(shell_call, {{.option_id = "no", .name = "No", .kind = {.value = acp::PermissionKind::reject_once}},
                            {.option_id = "maybe", .name = "?", .kind = {.unknown = "allow_sometimes"}}});
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  EXPECT_THAT(bench.said(id), HasSubstr("cancelled"));
}

TEST(AgentViaAcp, TheModeOfTheHubAnswersInThePersonsPlace) {
  AcpBench bench;
  bench.agent_script.prompt = asks_for(shell_call, qwen_options);
  const std::string id = bench.acp_conversation(hub::Mode::yolo);
  bench.begin(id);
  EXPECT_THAT(bench.said(id), HasSubstr("proceed_once")) << "once, though it offers always first";
  EXPECT_TRUE(bench.events<hub::event::ToolConfirmation>(id).empty());
}

TEST(AgentViaAcp, PlanApprovalSelectsTheFollowingMode) {
  AcpBench bench;
  bench.agent_script.prompt =
      asks_for(R"({"toolCallId":"p","title":"Ready?","kind":"switch_mode",
                   "content":[{"type":"content","content":{"type":"text","text":"1. read"}}]})",
               {{.option_id = "acceptEdits", .name = "Edits", .kind = {.value = acp::PermissionKind::allow_always}},
                {.option_id = "default", .name = "Ask", .kind = {.value = acp::PermissionKind::allow_once}},
                {.option_id = "plan", .name = "No", .kind = {.value = acp::PermissionKind::reject_once}}});
  const std::string id = bench.acp_conversation(hub::Mode::plan);
  bench.begin(id);
  const hub::Ask ask = bench.asked();
  EXPECT_EQ(ask.kind, hub::AskKind::plan);
  EXPECT_EQ(ask.plan, "1. read");
  bench.choose(ask, "acceptEdits");
  EXPECT_EQ(bench.hub->find(id)->mode, hub::Mode::auto_edit);
}

TEST(AgentViaAcp, PlanFeedbackFollowsTheEndOfTheTurn) {
  AcpBench bench;
  bench.agent_script.initialized.agent = acp::Implementation{.name = "x"};
  const auto first = asks_for(R"({"toolCallId":"p","title":"Ready?","kind":"switch_mode"})", qwen_options);
  bench.agent_script.prompt = [&bench, first](const acp::Prompt& prompt, Peer& agent) -> Task<Result<acp::PromptResult>> {
    if (bench.agent_script.prompts.size() > 1) co_return acp::PromptResult{};
    co_return co_await first(prompt, agent);
  };
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  bench.choose(bench.asked(), "parlance:feedback", "smaller steps");
  EXPECT_THAT(bench.said(id), HasSubstr(R"("optionId":"cancel")"));
  ASSERT_EQ(bench.agent_script.prompts.size(), 2U);
  EXPECT_EQ(first_text(bench.agent_script.prompts.back()), "smaller steps");
  EXPECT_EQ(bench.events<hub::event::TurnEnd>(id).size(), 1U) << "one turn of the person's";
}

// ---- iFlow ---------------------------------------------------------------------------------------------------------------------------

struct Iflow : AcpBench {
  Iflow() : AcpBench({.flavour = acp::Flavour::iflow}) {
    agent_script.initialized.capabilities = acp::AgentCapabilities{.load_session = true};
  }
};

// A plan in the agent's text alone: the turn ends, and no request waits. A webview offers this plan under -1 (face/webview).
TEST(AgentViaAcp, IflowGetsPlanModeTwiceAndATextPlanEndsTheTurn) {
  Iflow bench;
  const std::string id = bench.acp_conversation(hub::Mode::plan);
  bench.begin(id, "add tests");
  EXPECT_THAT(first_text(bench.agent_script.prompts.front()), HasSubstr("<system-reminder>"));
  EXPECT_TRUE(open_asks(*bench.hub).empty());
  EXPECT_EQ(bench.events<hub::event::TurnEnd>(id).size(), 1U);
  ASSERT_EQ(bench.events<hub::event::Notice>(id).size(), 1U);
  EXPECT_THAT(bench.events<hub::event::Notice>(id).front().text, HasSubstr("choose another mode"));
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(id, hub::ChangeSettings{{.mode = hub::Mode::default_}})));
  bench.begin(id, "go");
  EXPECT_THAT(first_text(bench.agent_script.prompts.back()), ::testing::Not(HasSubstr("<system-reminder>")));
  EXPECT_EQ(bench.links.size(), 2U) << "its mode is taken when a connection begins";
}

TEST(AgentViaAcp, PromptOptionsRestartOnlyIflow) {
  const auto links_after_two = [](AcpBench& bench) {
    const std::string id = bench.acp_conversation();
    bench.begin(id);
    EXPECT_TRUE(
        bench.loop.block_on(bench.hub->submit(id, hub::SendPrompt{.text = "more", .options = {.append_system = "Be brief."}})));
    bench.settle();
    EXPECT_EQ(bench.agent_script.prompts.size(), 2U);
    return bench.links.size();
  };
  Iflow iflow;
  EXPECT_EQ(links_after_two(iflow), 2U) << "it takes them when a session begins";
  AcpBench standard;
  EXPECT_EQ(links_after_two(standard), 1U) << "a session of another agent takes no instructions";
}

TEST(AgentViaAcp, IflowAsksQuestionsByTheirHeaders) {
  Iflow bench;
  bench.agent_script.prompt = [](const acp::Prompt& prompt, Peer& agent) -> Task<Result<acp::PromptResult>> {
    const auto answers = co_await agent.call(
        acp::method::iflow_questions,
        {.session_id = prompt.session_id,
         .questions = {{.question = "Which?", .header = "Database", .options = {{.label = "sqlite"}}},
                       {.question = "What else?", .header = "Extras", .options = {{.label = "docs"}}, .multi_select = true}}});
    static_cast<void>(agent.notify(acp::method::update, acp::test::said(json::to_text(*answers))));
    co_return acp::PromptResult{};
  };
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  const hub::Ask ask = bench.asked();
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(
      ask.conversation,
      hub::AnswerRequest{.request = ask.id, .answer = {.digest = ask.digest, .answers = {{"sqlite"}, {"docs", "a test"}}}})));
  bench.settle();
  EXPECT_EQ(bench.said(id), R"({"answers":{"Database":"sqlite","Extras":["docs","a test"]}})");
}

TEST(AgentViaAcp, IflowHandsInAPlan) {
  Iflow bench;
  bench.agent_script.prompt = [&bench](const acp::Prompt& prompt, Peer& agent) -> Task<Result<acp::PromptResult>> {
    if (bench.agent_script.prompts.size() > 1) co_return acp::PromptResult{};
    const auto decided = co_await agent.call(acp::method::iflow_plan_exit, {.session_id = prompt.session_id, .plan = "1. read"});
    static_cast<void>(agent.notify(acp::method::update, acp::test::said(json::to_text(*decided))));
    co_return acp::PromptResult{};
  };
  const std::string id = bench.acp_conversation(hub::Mode::plan);
  bench.begin(id);
  EXPECT_EQ(bench.asked().plan, "1. read");
  bench.choose(bench.asked(), "smart");
  EXPECT_EQ(bench.said(id), R"({"approved":true})");
  EXPECT_EQ(bench.agent_script.prompts.size(), 2U) << "the order to carry the plan out, without a second request";
  EXPECT_EQ(bench.hub->find(id)->mode, hub::Mode::smart);
}

// ---- options ------------------------------------------------------------------------------------------------------------------

TEST(AgentViaAcp, ModeChangeByTheAgentIsPublished) {
  AcpBench bench;
  bench.agent_script.prompt = sends({R"({"sessionUpdate":"current_mode_update","currentModeId":"plan"})"});
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  EXPECT_EQ(bench.hub->find(id)->mode, hub::Mode::plan);
}

TEST(AgentViaAcp, ReplaysAnAdoptedSession) {
  AcpBench bench;
  bench.agent_script.initialized.capabilities = acp::AgentCapabilities{.load_session = true};
  bench.agent_script.load = [](const acp::LoadSession& request, Peer& agent) {
    const auto send = [&](auto chunk) {
      static_cast<void>(agent.notify(acp::method::update, {.session_id = request.session_id, .update = {std::move(chunk)}}));
    };
    send(acp::UserMessageChunk{{.content = acp::text("earlier")}});
    send(acp::AgentMessageChunk{{.content = acp::text("answered")}});
  };
  const auto adopted = bench.loop.block_on(bench.hub->adopt({.agent = "acp", .folder = "/project"}, "kept"));
  ASSERT_TRUE(adopted) << adopted.error().message;
  bench.settle();
  EXPECT_EQ(bench.said(adopted->id), "answered");
  EXPECT_EQ(bench.events<hub::event::UserMessage>(adopted->id).front().text, "earlier");
}

TEST(AgentViaAcp, ListsOwnSessionsWithoutConversations) {
  AcpBench bench;
  bench.agent_script.initialized.capabilities =
      acp::AgentCapabilities{.load_session = true, .session = acp::SessionCapabilities{.list = acp::Supported{}}};
  bench.agent_script.list = [](const acp::ListSessions& asked) -> acp::SessionList {
    const auto kept = [](std::string id, std::string folder, std::string when) {
      return acp::SessionInfo{
          .session_id = std::move(id), .cwd = std::move(folder), .title = "About it", .updated_at = std::move(when)};
    };
    EXPECT_EQ(asked.cwd, "/project");
    if (!asked.cursor) return {.sessions = {kept("old", "/project", "2026-01-01T00:00:00Z")}, .next_cursor = "2"};
    EXPECT_EQ(asked.cursor, "2");
    return {.sessions = {kept("new", "/project", "2026-02-01T00:00:00Z"), kept("else", "/elsewhere", "2026-03-01T00:00:00Z")},
            .next_cursor = "2"};  // the same page again, without end
  };
  const auto ids = [&bench] {
    const auto kept = bench.loop.block_on(bench.hub->kept_sessions("acp", "/project"));
    EXPECT_TRUE(kept) << kept.error().message;
    std::string all;
    for (const hub::KeptSession& session : *kept) all += session.id + " " + session.title + "; ";
    return all;
  };
  EXPECT_EQ(ids(), "new About it; old About it; ");
  const auto adopted = bench.loop.block_on(bench.hub->adopt({.agent = "acp", .folder = "/project"}, "old"));
  ASSERT_TRUE(adopted) << adopted.error().message;
  EXPECT_EQ(ids(), "new About it; ");
  EXPECT_EQ(bench.loop.block_on(bench.hub->adopt({.agent = "acp", .folder = "/project"}, "old"))->id, adopted->id)
      << "the same one";
}

TEST(AgentViaAcp, AgentWithoutSessionListReportsUnknownMethod) {
  AcpBench bench;
  const auto none = bench.loop.block_on(bench.hub->kept_sessions("acp", "/project"));
  EXPECT_EQ(none.error().code, Errc::unknown_method);
  EXPECT_THAT(none.error().message, HasSubstr("session/list"));
  EXPECT_EQ(bench.loop.block_on(bench.hub->kept_sessions("unknown", "/project")).error().code, Errc::not_found);
}

TEST(AgentViaAcp, SilentProgramTimesOutAndTheNextTurnRestartsTheProgram) {
  AcpBench bench;
  std::unique_ptr<ByteStream> far;
  bool silent = true;
  bench.wrap = [&](std::unique_ptr<Frames> answering) -> std::unique_ptr<Frames> {
    if (!silent) return answering;
    auto [near, other] = memory_pair(bench.loop);
    far = std::move(other);
    return framed_stream(bench.loop, std::move(near), line_framing());
  };
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  bench.loop.advance(limits::acp_prompt_timeout + std::chrono::seconds(1));
  bench.settle();
  ASSERT_EQ(bench.hub->find(id)->state, hub::ConversationState::idle) << "it does not wait for ever";
  const auto failures = bench.events<hub::event::Failure>(id);
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_THAT(failures[0].message, testing::AllOf(HasSubstr("Tester"), HasSubstr("initialize"), HasSubstr("in a terminal")));
  silent = false;
  bench.begin(id, "again");
  EXPECT_EQ(bench.agent_script.prompts.size(), 1U) << "a connection of its own";
}

TEST(AgentViaAcp, MissingProgramErrorNamesTheInstallation) {
  hub::test::Bench bench;
  bench.hub->add_agent(agent_via_acp(
      bench.loop, {.id = "missing", .name = "Missing", .command = {"/no/such/agent"}, .install = "npm install missing"}));
  auto made = bench.loop.block_on(bench.hub->create({.agent = "missing", .folder = "/"}));
  ASSERT_TRUE(made);
  bench.prompt(made->id);
  while (bench.loop.run_ready()) {}
  std::string message;
  for (const hub::Event& event : bench.store.logs[made->id])
    if (const auto* failure = std::get_if<hub::event::Failure>(&event.body)) message = failure->message;
  EXPECT_THAT(message, HasSubstr("no program \"/no/such/agent\" for Missing: npm install missing"));
}

}  // namespace
}  // namespace parlance::driver
