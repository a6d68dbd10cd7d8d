// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/webview/hub_over_webview.h"

#include <functional>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/face/webview/test_support.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"

namespace parlance::face {
namespace {

using namespace std::chrono_literals;
using test::TestWebview;
using test::WebviewBench;
using testing::HasSubstr;
using testing::StartsWith;

Task<Result<hub::StopReason>> says(hub::Turn& turn, hub::Prompt prompt) {
  turn.emit(hub::event::Text{"You said " + prompt.text});
  co_return hub::StopReason::end_turn;
}

hub::test::Script asks() {
  return [](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    turn.emit(hub::event::ToolStart{.call = "c", .tool = "run_command", .title = "rm x", .kind = hub::CallKind::execute});
    auto answer = co_await turn.ask({.call = "c", .tool = "run_command", .title = "rm x", .options = hub::once_offer()});
    if (!answer) co_return std::unexpected(answer.error());
    turn.emit(
        hub::event::ToolEnd{.call = "c", .state = answer->allowed() ? hub::ToolEndState::done : hub::ToolEndState::rejected});
    turn.emit(hub::event::Text{answer->allowed() ? "done" : "not done"});
    co_return turn.cancelled() ? hub::StopReason::cancelled : hub::StopReason::end_turn;
  };
}

class HubOverWebview : public testing::Test {
 protected:
  // A webview after `ready`.
  std::unique_ptr<TestWebview> opened() {
    auto view = std::make_unique<TestWebview>(bench.loop, bench.server, *bench.hub);
    view->send(R"({"type":"ready"})");
    return view;
  }
  WebviewBench bench;
};

TEST_F(HubOverWebview, ReadyIsAnsweredWithTheStateAndTheEditorsContextAtOnce) {
  TestWebview view(bench.loop, bench.server, *bench.hub);
  view.send(R"({"type":"ideContextChanged","context":{"activeFile":{"path":"/w/a.cpp","name":"a.cpp"},"selection":null}})");
  EXPECT_TRUE(view.received.empty()) << "it has not said that it is ready";
  view.send(R"({"type":"ready"})");
  ASSERT_EQ(view.received.size(), 2U);
  EXPECT_EQ(view.state().text_or("version", ""), "1.2.3");
  EXPECT_EQ(view.state().find("conversations")->array()->size(), 0U);
  EXPECT_EQ(json::to_text(*view.state().find("messages")), "[]");
  EXPECT_EQ(view.last("ideContextChanged").find("context")->find("activeFile")->text_or("name", ""), "a.cpp");
}

TEST_F(HubOverWebview, MessagesWaitForReady) {
  TestWebview view(bench.loop, bench.server, *bench.hub);
  view.send(R"({"type":"sendMessage","prompt":"hello"})");
  EXPECT_THAT(view.failure("sendMessage"), HasSubstr("`ready` comes first"));
}

TEST_F(HubOverWebview, EveryMessageIsCheckedAndAFaultNamesItsPlace) {
  const auto view = opened();
  view->send(R"({"type":"setMode","mode":"fast"})");
  EXPECT_THAT(view->failure("setMode"), HasSubstr("$.mode"));
  view->send(R"({"type":"toolApproval","outcome":"allow"})");
  EXPECT_THAT(view->failure("toolApproval"), HasSubstr("requestId"));
  view->send(R"({"type":"fly"})");
  EXPECT_THAT(view->failure("fly"), HasSubstr("unknown message"));
  view->send("no JSON");
  EXPECT_THAT(view->failure(""), StartsWith("invalid_request"));
  EXPECT_GE(bench.server.statistics().malformed, 4U);
  EXPECT_FALSE(view->ended);
}

TEST_F(HubOverWebview, AMessageBeginsAConversationAndItsAnswerComesInChunks) {
  bench.script = says;
  const auto view = opened();
  view->send(R"({"type":"sendMessage","prompt":"hello","mode":"yolo","model":"m","think":true})");
  EXPECT_EQ(view->failure("sendMessage"), "");
  EXPECT_EQ(view->text(), "You said hello");
  EXPECT_EQ(view->last("streamEnd").text_or("stopReason", ""), "end_turn");
  EXPECT_TRUE(view->all("userMessage").empty()) << "its own words it shows already";
  const json::Value state = view->state();
  EXPECT_EQ(json::to_text(*state.find("isStreaming")), "false");
  const json::Value& row = state.find("conversations")->array()->front();
  EXPECT_EQ(row.text_or("mode", ""), "yolo");
  EXPECT_EQ(row.text_or("model", ""), "m");
  EXPECT_EQ(row.text_or("workspaceFolder", ""), bench.folder);
  EXPECT_EQ(state.text_or("currentConversationId", ""), row.text_or("id", "-"));
}

TEST_F(HubOverWebview, NewWebviewGetsHistoryAndOpenRequests) {
  bench.script = says;
  opened()->send(R"({"type":"sendMessage","content":"hello"})");
  bench.script = asks();
  opened()->send(R"({"type":"sendMessage","content":"more"})");
  const auto view = opened();
  const json::Array messages = *view->state().find("messages")->array();
  ASSERT_EQ(messages.size(), 4U);
  EXPECT_EQ(messages[0].text_or("content", ""), "hello");
  EXPECT_EQ(messages[1].find("chunks")->array()->front().text_or("content", ""), "You said hello");
  const json::Value& waits = messages[3].find("chunks")->array()->back();
  EXPECT_EQ(waits.text_or("chunkType", ""), "tool_confirmation");
  view->send(R"({"type":"toolApproval","requestId":)" + std::to_string(waits.integer_or("requestId", 0)) +
             R"(,"outcome":"allow"})");
  EXPECT_EQ(view->trace(), "tool_end text");
  EXPECT_EQ(view->text(), "done");
}

TEST_F(HubOverWebview, ARejectionStopsTheTurn) {
  bench.script = asks();
  const auto view = opened();
  view->send(R"({"type":"sendMessage","prompt":"go"})");
  EXPECT_EQ(view->trace(), "tool_start tool_confirmation");
  view->send(R"({"type":"toolApproval","requestId":)" + view->request("tool_confirmation") + R"(,"outcome":"reject"})");
  EXPECT_EQ(view->last("requestSettled").text_or("by", ""), "webview");
  EXPECT_GE(bench.log.cancels, 0);
  EXPECT_EQ(view->last("streamEnd").text_or("stopReason", ""), bench.log.cancels > 0 ? "cancelled" : "end_turn");
  EXPECT_EQ(view->chunks("tool_end").front().text_or("status", ""), "error");
  view->send(R"({"type":"toolApproval","requestId":1,"outcome":"allow"})");
  EXPECT_THAT(view->failure("toolApproval"), StartsWith("not_found")) << "it was answered";
}

TEST_F(HubOverWebview, EmptyApprovalLeavesTheRequestOpen) {
  bench.script = asks();
  const auto view = opened();
  view->send(R"({"type":"sendMessage","prompt":"go"})");
  const std::string request = view->request("tool_confirmation");
  for (const std::string outcome : {"", R"(,"outcome":null)", R"(,"outcome":"")", R"(,"outcome":"yes")", R"(,"outcome":"Allow")",
                                    R"(,"outcome":true)", R"(,"outcome":["allow"])", R"(,"outcome":{})"}) {
    view->forget();
    view->send(R"({"type":"toolApproval","requestId":)" + request + outcome + "}");
    EXPECT_THAT(view->failure("toolApproval"), HasSubstr("$.outcome")) << outcome;
    EXPECT_TRUE(view->all("requestSettled").empty()) << outcome;
  }
}

TEST_F(HubOverWebview, TwoWebviewsSeeTheSameAndTheFirstAnswerCounts) {
  bench.script = asks();
  const auto a = opened();
  a->send(R"({"type":"sendMessage","prompt":"go"})");
  const auto b = opened();
  const json::Value waits = b->state().find("messages")->array()->back().find("chunks")->array()->back();
  b->send(R"({"type":"toolApproval","requestId":)" + std::to_string(waits.integer_or("requestId", 0)) + R"(,"outcome":"allow"})");
  EXPECT_EQ(a->all("requestSettled").size(), 1U);
  EXPECT_EQ(a->text(), "done");
  bench.script = says;
  b->send(R"({"type":"sendMessage","prompt":"from b"})");
  EXPECT_EQ(a->last("userMessage").find("message")->text_or("content", ""), "from b");
  EXPECT_TRUE(b->all("userMessage").empty());
}

TEST_F(HubOverWebview, QuestionsAreAnsweredByHeader) {
  std::vector<std::vector<std::string>> received;
  bench.script = [&](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    hub::AskRequest request{.kind = hub::AskKind::question, .title = "Which?"};
    request.questions = {{.header = "Base", .question = "Which?", .options = {{.label = "a"}, {.label = "b"}}}};
    const auto answer = co_await turn.ask(std::move(request));
    received = answer->answers;
    co_return hub::StopReason::end_turn;
  };
  const auto view = opened();
  view->send(R"({"type":"sendMessage","prompt":"go"})");
  view->send(R"({"type":"questionAnswer","requestId":)" + view->request("user_question") + R"(,"answers":{"Base":"b"}})");
  EXPECT_EQ(received, (std::vector<std::vector<std::string>>{{"b"}}));
}

TEST_F(HubOverWebview, TextPlanHasTheRequestIdMinus1) {
  bench.script = says;
  const auto view = opened();
  view->send(R"({"type":"setMode","mode":"plan"})");
  view->send(R"({"type":"sendMessage","prompt":"plan it"})");
  EXPECT_EQ(view->request("plan_approval"), "-1");
  view->send(R"({"type":"planApproval","requestId":-1,"option":"feedback"})");
  EXPECT_THAT(view->failure("planApproval"), HasSubstr("$.feedback"));
  view->send(R"({"type":"planApproval","requestId":-1,"option":"feedback","feedback":"smaller"})");
  EXPECT_EQ(bench.log.prompts.back(), "smaller");
  const auto again = opened();
  EXPECT_EQ(again->state().find("messages")->array()->back().find("chunks")->array()->back().integer_or("requestId", 0), -1)
      << "it survives a reload";
  view->send(R"({"type":"planApproval","requestId":-1,"option":"smart"})");
  EXPECT_THAT(bench.log.prompts.back(), StartsWith("<system-reminder>\nThe plan was approved"));
  const std::string messages = json::to_text(*opened()->state().find("messages"));
  EXPECT_THAT(messages, testing::Not(HasSubstr(R"("content":"<system-reminder>)"))) << "no person wrote this text";
  EXPECT_THAT(messages, HasSubstr(R"("content":"You said <system-reminder>)")) << "what follows is a message of its own";
  EXPECT_EQ(bench.log.modes.back(), hub::Mode::smart);
  const std::size_t prompts = bench.log.prompts.size();
  view->send(R"({"type":"planApproval","requestId":-1,"approved":true})");
  EXPECT_EQ(bench.log.prompts.size(), prompts) << "nothing waits any more";
}

TEST_F(HubOverWebview, KeepingThePlanSendsNoPrompt) {
  bench.script = says;
  const auto view = opened();
  view->send(R"({"type":"setMode","mode":"plan"})");
  view->send(R"({"type":"sendMessage","prompt":"plan it"})");
  view->send(R"({"type":"planApproval","requestId":-1,"approved":false})");
  EXPECT_EQ(bench.log.prompts.size(), 1U);
  EXPECT_EQ(view->state().find("conversations")->array()->front().text_or("mode", ""), "plan");
}

TEST_F(HubOverWebview, ProposedPlanHasItsOwnRequest) {
  bench.script = [](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    const auto answer = co_await turn.ask({.kind = hub::AskKind::plan,
                                           .title = "A plan",
                                           .plan = "1. x",
                                           .options = {{.id = "smart", .kind = hub::OptionKind::allow_once},
                                                       {.id = "keep", .kind = hub::OptionKind::reject_once}}});
    turn.emit(hub::event::Text{answer->option});
    co_return hub::StopReason::end_turn;
  };
  const auto view = opened();
  view->send(R"({"type":"setMode","mode":"plan"})");
  view->send(R"({"type":"sendMessage","prompt":"plan it"})");
  EXPECT_EQ(view->chunks("plan_approval").front().text_or("plan", ""), "1. x");
  view->send(R"({"type":"planApproval","requestId":)" + view->request("plan_approval") + R"(,"option":"smart"})");
  EXPECT_EQ(view->text(), "smart");
  EXPECT_EQ(view->chunks("plan_approval").size(), 1U) << "none is made up beside it";
}

TEST_F(HubOverWebview, CancelEndsTheTurnAndTheConnectionStays) {
  hub::test::Gate gate(bench.loop);
  bench.script = hub::test::ends_after(gate);
  bench.log.cancelling = [&] { gate.release(); };
  const auto view = opened();
  view->send(R"({"type":"sendMessage","prompt":"wait"})");
  EXPECT_EQ(json::to_text(*view->state().find("isStreaming")), "true");
  view->send(R"({"type":"cancelCurrent"})");
  EXPECT_EQ(view->all("streamEnd").size(), 1U);
  EXPECT_FALSE(view->ended);
}

TEST_F(HubOverWebview, ConversationsAreBegunSwitchedClearedAndDeleted) {
  bench.script = says;
  const auto view = opened();
  view->send(R"({"type":"newConversation"})");
  const std::string first(view->state().text_or("currentConversationId", ""));
  view->send(R"({"type":"sendMessage","prompt":"one"})");
  view->send(R"({"type":"newConversation"})");
  const std::string second(view->state().text_or("currentConversationId", ""));
  EXPECT_NE(first, second);
  EXPECT_EQ(json::to_text(*view->state().find("messages")), "[]");
  view->send(R"({"type":"switchConversation","conversationId":")" + first + R"("})");
  EXPECT_EQ(view->state().find("messages")->array()->size(), 2U);
  view->send(R"({"type":"clearConversation"})");
  EXPECT_EQ(json::to_text(*view->all("stateUpdated").back().find("state")->find("isStreaming")), "false");
  bool emptied = false;
  for (const json::Value& message : view->all("stateUpdated"))
    if (const json::Value* messages = message.find("state")->find("messages")) emptied = messages->array()->empty();
  EXPECT_TRUE(emptied);
  view->send(R"({"type":"deleteConversation","conversationId":")" + first + R"("})");
  EXPECT_EQ(view->state().text_or("currentConversationId", ""), second);
  view->send(R"({"type":"switchConversation","conversationId":")" + first + R"("})");
  EXPECT_THAT(view->failure("switchConversation"), StartsWith("not_found"));
}

TEST_F(HubOverWebview, FolderFollowsTheActiveEditorUntilTheFirstMessage) {
  bench.script = says;
  std::filesystem::create_directories(bench.folder + "/b");
  const auto view = opened();
  view->send(R"({"type":"workspaceFolders","folders":[")" + bench.folder + R"(",")" + bench.folder + R"(/b"]})");
  view->send(R"({"type":"newConversation"})");
  bench.until([&] { return view->state().find("currentConversationId") != nullptr; });
  const std::string first(view->state().text_or("currentConversationId", ""));
  EXPECT_EQ(bench.hub->find(first)->folders, std::vector{bench.folder + "/b"}) << "all folders count as inside";
  view->send(R"({"type":"setWorkspaceFolder","folder":")" + bench.folder + R"(/b"})");
  bench.until([&] { return bench.hub->find(first) == nullptr; });
  const std::string moved(view->state().text_or("currentConversationId", ""));
  EXPECT_EQ(bench.hub->find(moved)->folder, bench.folder + "/b");
  view->send(R"({"type":"sendMessage","prompt":"hello"})");
  view->send(R"({"type":"setWorkspaceFolder","folder":")" + bench.folder + R"("})");
  bench.until([&] { return !view->failure("setWorkspaceFolder").empty(); });
  EXPECT_THAT(view->failure("setWorkspaceFolder"), HasSubstr("begin a new conversation"));
}

TEST_F(HubOverWebview, ReadableFilesAreInTheFolderOrPicked) {
  bench.write("long.txt", std::string(300, 'x'));
  const std::string outside = bench.folder + "_outside.txt";
  std::ofstream(outside) << "beyond";
  std::filesystem::create_symlink(outside, bench.folder + "/link.txt");
  const auto view = opened();
  view->send(R"({"type":"searchFiles","query":"a.t"})");
  view->send(R"({"type":"listWorkspaceFiles"})");
  bench.until([&] { return view->all("workspaceFiles").size() == 2; });
  EXPECT_EQ(view->all("workspaceFiles")[0].find("files")->array()->front().text() == nullptr
                ? ""
                : *view->all("workspaceFiles")[0].find("files")->array()->front().text(),
            "a.txt");
  view->send(R"({"type":"readFiles","paths":["a.txt","long.txt","link.txt","none.txt",")" + outside + R"("]})");
  bench.until([&] { return view->all("fileContents").size() == 1; });
  const json::Array files = *view->last("fileContents").find("files")->array();
  EXPECT_EQ(files[0].text_or("content", ""), "alpha\n");
  EXPECT_EQ(files[1].text_or("content", "").size(), 100U);
  EXPECT_EQ(json::to_text(*files[1].find("truncated")), "true");
  EXPECT_THAT(std::string(files[2].text_or("error", "")), HasSubstr("outside")) << "a link is where it leads";
  EXPECT_NE(files[3].find("error"), nullptr);
  EXPECT_THAT(std::string(files[4].text_or("error", "")), HasSubstr("outside this conversation's folders"));
  view->send(R"({"type":"pickedFiles","files":[")" + outside + R"("]})");
  view->send(R"({"type":"readFiles","paths":[")" + outside + R"("]})");
  bench.until([&] { return view->all("fileContents").size() == 2; });
  EXPECT_EQ(view->last("fileContents").find("files")->array()->front().text_or("content", ""), "beyond");
  std::filesystem::remove(outside);
}

// The folder of a conversation was stored as a real path, so a link in its place leads elsewhere.
TEST_F(HubOverWebview, LinkInPlaceOfAFolderIsRefused) {
  const auto view = opened();
  view->send(R"({"type":"sendMessage","prompt":"hello"})");
  bench.until([&] { return !view->all("streamEnd").empty(); });
  const std::string real = bench.folder + "_real";
  std::filesystem::rename(bench.folder, real);
  std::filesystem::create_directory_symlink(real, bench.folder);
  view->send(R"({"type":"readFiles","paths":["a.txt"]})");
  bench.until([&] { return view->all("fileContents").size() == 1; });
  const json::Value file = view->last("fileContents").find("files")->array()->front();
  EXPECT_EQ(file.text_or("content", ""), "");
  EXPECT_THAT(std::string(file.text_or("error", "")), HasSubstr("a.txt"));
  std::filesystem::remove(bench.folder);
  std::filesystem::rename(real, bench.folder);
}

TEST_F(HubOverWebview, FilesAndContextArePartOfThePromptWithCutsReported) {
  bench.write("long.txt", std::string(300, 'x'));
  std::vector<std::string> attached;
  std::vector<hub::PromptContext> looked_at;
  bench.script = [&](hub::Turn&, hub::Prompt prompt) -> Task<Result<hub::StopReason>> {
    for (const hub::AttachmentInfo& attachment : prompt.attachments)
      attached.push_back(attachment.name + " " + std::to_string(attachment.bytes));
    looked_at = prompt.context;
    co_return hub::StopReason::end_turn;
  };
  const auto view = opened();
  view->send(
      R"({"type":"ideContextChanged","context":{"activeFile":{"path":"/w/a","name":"a"},"selection":{"filePath":"/w/a","fileName":"a","text":"sel","lineStart":3,"lineEnd":4}}})");
  view->send(
      R"({"type":"sendMessage","prompt":"look","attachedFiles":[{"path":"long.txt"},{"path":"b.md","content":"hi"}],"workspaceFiles":["x","y"]})");
  bench.until([&] { return view->all("streamEnd").size() == 1; });
  EXPECT_THAT(attached, testing::ElementsAre("long.txt 120", "b.md 2", "Workspace Files 4"));
  ASSERT_EQ(looked_at.size(), 1U);
  EXPECT_EQ(looked_at[0], (hub::PromptContext{.path = "/w/a", .range = hub::LineRange{3, 4}, .text = "sel"}));
  EXPECT_THAT(std::string(view->chunks("warning").front().text_or("message", "")),
              HasSubstr("long.txt is longer than 100 bytes"));
  view->send(R"({"type":"sendMessage","prompt":"again","ideContext":null})");
  bench.until([&] { return view->all("streamEnd").size() == 2; });
  EXPECT_TRUE(looked_at.empty()) << "it was switched off";
  view->send(R"({"type":"sendMessage","prompt":"x","attachedFiles":[{"path":"none.txt"}]})");
  bench.until([&] { return !view->failure("sendMessage").empty(); });
  EXPECT_EQ(view->all("streamEnd").size(), 2U) << "nothing is sent without what belongs to it";
}

TEST_F(HubOverWebview, RecheckReportsItsResult) {
  const auto view = opened();
  view->send(R"({"type":"recheckCli"})");
  EXPECT_EQ(bench.log.looked_again, 1);
  EXPECT_EQ(json::to_text(*view->last("cliStatus").find("available")), "true");
}

TEST_F(HubOverWebview, RecheckEndsTheAgentForTheNextMessage) {
  bench.script = says;
  const auto view = opened();
  view->send(R"({"type":"sendMessage","prompt":"one"})");
  bench.until([&] { return view->all("streamEnd").size() == 1; });
  EXPECT_EQ(bench.log.opened, 1);
  view->send(R"({"type":"recheckCli"})");
  bench.until([&] { return bench.log.closed == 1; });
  view->send(R"({"type":"sendMessage","prompt":"two"})");
  bench.until([&] { return view->all("streamEnd").size() == 2; });
  EXPECT_EQ(bench.log.opened, 2);
  EXPECT_EQ(bench.log.destroyed, 1);
}

TEST_F(HubOverWebview, PickAndOpenFailWithoutAnEditor) {
  const auto view = opened();
  view->send(R"({"type":"pickFiles"})");
  EXPECT_EQ(json::to_text(*view->last("pickedFiles").find("files")), "[]");
  EXPECT_THAT(view->failure("pickFiles"), HasSubstr("searchFiles"));
  view->send(R"({"type":"openFile","path":"/a"})");
  EXPECT_THAT(view->failure("openFile"), HasSubstr("outside an editor"));
}

TEST_F(HubOverWebview, ByteByByteAsAtOnce) {
  bench.script = says;
  TestWebview view(bench.loop, bench.server, *bench.hub, {.one_byte_reads = true});
  view.send(R"({"type":"ready"})");
  view.send(R"({"type":"sendMessage","prompt":"hello"})");
  EXPECT_EQ(view.text(), "You said hello");
  view.hang_up();
  EXPECT_EQ(bench.server.statistics().webviews, 0U);
}

}  // namespace
}  // namespace parlance::face
