// SPDX-License-Identifier: Apache-2.0
// Claude Code's CLI protocol with an editor: access, each tool, and notifications.
#include "parlance/face/ide/claude_ide.h"

#include "parlance/face/ide/test_support.h"
#include "parlance/transport/whole_file.h"

namespace parlance::face {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using namespace std::chrono_literals;

class ClaudeIdeTest : public test::IdeTest {
 protected:
  ClaudeIdeTest() {
    router.on(claude_ide::selection_changed,
              [this](const claude_ide::SelectionChanged& now, Context&) { selections.push_back(json::to_text(now)); });
    router.on(claude_ide::at_mentioned,
              [this](const claude_ide::AtMentioned& now, Context&) { mentions.push_back(json::to_text(now)); });
  }
  void SetUp() override {
    auto made = ClaudeIde::listen(loop, editor, settings());
    ASSERT_TRUE(made) << made.error().message;
    ide = *std::move(made);
  }
  ClaudeIdeSettings settings() const {
    return {.config_folder = (folder / "claude").string(), .name = "Test", .folders = {"/w"}, .version = "9"};
  }
  Result<std::unique_ptr<WebSocketFrames>> connect(std::vector<HttpHeader> headers, std::vector<std::string> protocols = {}) {
    return loop.block_on(connect_websocket(loop, {.url = "ws://127.0.0.1:" + std::to_string(ide->port()) + "/",
                                                  .headers = std::move(headers),
                                                  .subprotocols = std::move(protocols)}));
  }
  HttpHeader token() const { return {"X-Claude-Code-Ide-Authorization", ide->token()}; }
  std::unique_ptr<test::TestAgent> agent() {
    auto frames = connect({token()});
    EXPECT_TRUE(frames) << frames.error().message;
    auto made = std::make_unique<test::TestAgent>(loop, *std::move(frames), router);
    made->initialize();
    return made;
  }
  static json::Value only(const std::vector<std::string>& texts) {
    EXPECT_EQ(texts.size(), 1U);
    return texts.empty() ? json::Value() : json::parse_or_null(texts.front());
  }

  Router router;
  std::vector<std::string> selections;
  std::vector<std::string> mentions;
  std::unique_ptr<ClaudeIde> ide;
};

TEST_F(ClaudeIdeTest, TheLockFileIsForThisUserAndGoesAtTheEnd) {
  const std::string path = ide->lock_file();
  EXPECT_EQ(path, (folder / "claude" / "ide" / (std::to_string(ide->port()) + ".lock")).string());
  EXPECT_EQ(test::mode_of(path), 0600U);
  EXPECT_EQ(test::mode_of(folder / "claude" / "ide"), 0700U);
  const auto lock = json::parse_or_null(read_whole_file(path).value());
  EXPECT_EQ(lock.text_or("transport", ""), "ws");
  EXPECT_EQ(lock.text_or("ideName", ""), "Test");
  EXPECT_EQ(lock.text_or("authToken", ""), ide->token());
  EXPECT_EQ(lock.integer_or("pid", 0), ::getppid());
  EXPECT_EQ(json::to_text(*lock.find("workspaceFolders")), R"(["/w"])");
  ide.reset();
  EXPECT_FALSE(test::fs::exists(path));
}

TEST_F(ClaudeIdeTest, ConnectionRequiresTheToken) {
  for (const std::string& wrong : {std::string(), std::string("x"), ide->token() + "x", ide->token().substr(1)}) {
    const auto refused = connect({{"X-Claude-Code-Ide-Authorization", wrong}});
    ASSERT_FALSE(refused) << wrong;
    EXPECT_EQ(refused.error().code, Errc::denied);
  }
  EXPECT_FALSE(connect({}));
  EXPECT_FALSE(connect({token(), token()})) << "said twice is not said";
  EXPECT_TRUE(connect({token()}));
}

TEST_F(ClaudeIdeTest, ABrowserAndAnotherHostAreRefused) {
  for (const char* origin : {"http://evil.example", "null", "http://127.0.0.1"})
    EXPECT_FALSE(connect({token(), {"Origin", origin}})) << origin;
  const auto plain = [this](std::vector<HttpHeader> headers) {
    HttpClient client(loop);
    const auto reply = loop.block_on(
        client.fetch({.url = "http://127.0.0.1:" + std::to_string(ide->port()) + "/", .headers = std::move(headers)}));
    return reply ? reply->status : 0;
  };
  EXPECT_EQ(plain({token(), {"Host", "evil.example"}}), 403);
  EXPECT_EQ(plain({}), 401);
  EXPECT_EQ(plain({token()}), 426);
}

TEST_F(ClaudeIdeTest, TheSubprotocolOfTheOtherRuntimeIsTaken) {
  auto frames = connect({token()}, {"mcp"});
  ASSERT_TRUE(frames) << frames.error().message;
  EXPECT_EQ((*frames)->subprotocol(), "mcp");
}

TEST_F(ClaudeIdeTest, TwelveTools) {
  const auto client = agent();
  std::vector<std::string> names;
  for (const mcp::Tool& tool : client->tools()) {
    names.push_back(tool.name);
    EXPECT_THAT(tool.input_schema.json, HasSubstr(R"("type":"object")")) << tool.name;
  }
  EXPECT_THAT(names, ElementsAre("openFile", "openDiff", "getCurrentSelection", "getLatestSelection", "getOpenEditors",
                                 "getWorkspaceFolders", "getDiagnostics", "checkDocumentDirty", "saveDocument", "close_tab",
                                 "closeAllDiffTabs", "executeCode"));
}

TEST_F(ClaudeIdeTest, AFileIsOpenedWhereItsTextIs) {
  const auto client = agent();
  EXPECT_THAT(client->call("openFile", R"({"filePath":"/w/a b.cpp","preview":false,"startText":"x = 1","endText":""})"),
              ElementsAre("Opened file: /w/a b.cpp"));
  ASSERT_EQ(editor.opened.size(), 1U);
  EXPECT_EQ(editor.opened[0].line, 2U) << "from 1";
  EXPECT_EQ(editor.opened[0].column, 4U) << "two blanks and a pair of surrogates";
  const auto opened =
      only(client->call("openFile", R"({"filePath":"/w/a b.cpp","startText":"not there","makeFrontmost":false})"));
  EXPECT_TRUE(opened.boolean_or("success", false));
  EXPECT_EQ(opened.text_or("languageId", ""), "cpp");
  EXPECT_EQ(opened.integer_or("lineCount", 0), 3);
  EXPECT_EQ(editor.opened[1].line, std::nullopt);
}

TEST_F(ClaudeIdeTest, SelectionTool) {
  const auto client = agent();
  EXPECT_THAT(client->call("getCurrentSelection"),
              ElementsAre(R"({"success":true,"text":"x","filePath":"/w/a b.cpp","fileUrl":"file:///w/a%20b.cpp","selection":)"
                          R"({"start":{"line":1,"character":4},"end":{"line":1,"character":5},"isEmpty":false}})"));
  EXPECT_EQ(only(client->call("getLatestSelection")).text_or("filePath", ""), "/w/latest.cpp");
  editor.active.clear();
  EXPECT_THAT(client->call("getCurrentSelection"), ElementsAre(R"({"success":false,"message":"No active editor"})"));
}

TEST_F(ClaudeIdeTest, OpenEditorsTool) {
  const auto client = agent();
  EXPECT_THAT(client->call("getOpenEditors"),
              ElementsAre(AllOf(HasSubstr(R"({"tabs":[{"uri":"file:///w/a%20b.cpp","isActive":true)"),
                                HasSubstr(R"("isDirty":true)"), HasSubstr(R"("groupIndex":1)"))));
  EXPECT_THAT(client->call("getWorkspaceFolders"),
              ElementsAre(R"({"success":true,"folders":[{"name":"w","uri":"file:///w","path":"/w"}],"rootPath":"/w"})"));
  EXPECT_THAT(client->call("checkDocumentDirty", R"({"filePath":"/w/a b.cpp"})"),
              ElementsAre(R"({"success":true,"filePath":"/w/a b.cpp","isDirty":true,"isUntitled":false})"));
  EXPECT_THAT(client->call("checkDocumentDirty", R"({"filePath":"/x"})"),
              ElementsAre(R"({"success":false,"message":"Document not open: /x"})"));
  EXPECT_TRUE(only(client->call("saveDocument", R"({"filePath":"/w/a b.cpp"})")).boolean_or("saved", false));
  EXPECT_THAT(editor.saved, ElementsAre("/w/a b.cpp"));
  EXPECT_THAT(client->call("saveDocument", "{}").front(), "error");
}

TEST_F(ClaudeIdeTest, DiagnosticsUseTheRequestedName) {
  const auto client = agent();
  EXPECT_THAT(client->call("getDiagnostics"),
              ElementsAre(R"([{"uri":"file:///w/a%20b.cpp","diagnostics":[{"message":"no such name","severity":"Info","range":)"
                          R"({"start":{"line":2,"character":4},"end":{"line":2,"character":6}},"source":"cc"}]}])"));
  EXPECT_THAT(client->call("getDiagnostics", R"({"uri":"file:///w/a b.cpp"})"),
              ElementsAre(HasSubstr(R"("uri":"file:///w/a b.cpp")")));
  EXPECT_THAT(client->call("getDiagnostics", R"({"uri":"file:///w/fine.cpp"})"),
              ElementsAre(R"([{"uri":"file:///w/fine.cpp","diagnostics":[]}])"));
}

TEST_F(ClaudeIdeTest, AChangeWaitsForThePerson) {
  const auto client = agent();
  const std::string change = R"({"old_file_path":"/w/a","new_file_path":"/w/a","new_file_contents":"new","tab_name":"tab 1"})";
  const auto ask = [&](const std::function<void()>& meanwhile) {
    std::optional<Result<mcp::CallToolResult>> answer;
    Scope scope(loop);
    scope.start([](test::TestAgent& from, std::string arguments, std::optional<Result<mcp::CallToolResult>>& into) -> Task<void> {
      into = co_await from.calling("openDiff", std::move(arguments));
    }(*client, change, answer));
    until([&] { return editor.diffs == 1; });
    EXPECT_FALSE(answer);
    meanwhile();
    until([&] { return answer.has_value(); });
    EXPECT_EQ(editor.diffs, 0);
    return test::TestAgent::texts(*answer);
  };
  EXPECT_THAT(ask([&] { editor.decide({.accepted = true, .content = "edited", .edited = true}); }),
              ElementsAre("FILE_SAVED", "edited"));
  EXPECT_EQ(editor.proposed.path, "/w/a");
  EXPECT_EQ(editor.proposed.new_content, "new");
  EXPECT_THAT(ask([&] { editor.decide({.reason = "button"}); }), ElementsAre("DIFF_REJECTED", "tab 1"));
  EXPECT_THAT(ask([&] { EXPECT_THAT(client->call("close_tab", R"({"tab_name":"tab 1"})"), ElementsAre("TAB_CLOSED")); }),
              ElementsAre("DIFF_REJECTED", "tab 1"));
  EXPECT_THAT(ask([&] { EXPECT_THAT(client->call("closeAllDiffTabs"), ElementsAre("CLOSED_3_DIFF_TABS")); }),
              ElementsAre("DIFF_REJECTED", "tab 1"));
  EXPECT_THAT(client->call("close_tab", R"({"tab_name":"gone"})"), ElementsAre("TAB_CLOSED"));
}

TEST_F(ClaudeIdeTest, DisconnectedAgentWithdrawsItsProposal) {
  auto client = agent();
  Scope scope(loop);
  scope.start([](test::TestAgent& from) -> Task<void> {
    static_cast<void>(co_await from.calling(
        "openDiff", R"({"old_file_path":"/w/a","new_file_path":"/w/a","new_file_contents":"n","tab_name":"t"})"));
  }(*client));
  until([&] { return editor.diffs == 1; });
  scope.cancel();
  client.reset();
  until([&] { return editor.diffs == 0; });
}

TEST_F(ClaudeIdeTest, NotebookCodeIsRefusedWithAReason) {
  EXPECT_THAT(agent()->call("executeCode", R"({"code":"1+1"})"), ElementsAre("error", HasSubstr("no notebook")));
}

TEST_F(ClaudeIdeTest, SelectionChangesAreSent) {
  const auto client = agent();
  const auto other = agent();
  ide->context_changed();
  until([&] { return selections.size() == 2; });
  EXPECT_EQ(selections[0], R"({"text":"x","filePath":"/w/a b.cpp","fileUrl":"file:///w/a%20b.cpp","selection":)"
                           R"({"start":{"line":1,"character":4},"end":{"line":1,"character":5},"isEmpty":false}})");
  editor.active.clear();
  ide->context_changed();
  until([&] { return selections.size() == 4; });
  EXPECT_EQ(selections[3], R"({"text":""})");
}

TEST_F(ClaudeIdeTest, NewClientGetsTheSelection) {
  const auto client = agent();
  client->notify(claude_ide::ide_connected, {.process = 7});
  until([&] { return selections.size() == 1; });
}

TEST_F(ClaudeIdeTest, MentionedLinesCountFromZero) {
  const auto client = agent();
  ide->mentioned("/w/a.cpp", 3, 7);
  ide->mentioned("/w/a.cpp", {}, {});
  until([&] { return mentions.size() == 2; });
  EXPECT_THAT(mentions, ElementsAre(R"({"filePath":"/w/a.cpp","lineStart":2,"lineEnd":6})", R"({"filePath":"/w/a.cpp"})"));
}

TEST_F(ClaudeIdeTest, NotificationsWaitForInitialized) {
  auto frames = connect({token()});
  ASSERT_TRUE(frames);
  test::TestAgent early(loop, *std::move(frames), router);
  const auto client = agent();
  ide->mentioned("/w/a.cpp", 1, 1);
  until([&] { return !mentions.empty(); });
  early.initialize();
  EXPECT_EQ(mentions.size(), 1U);
}

}  // namespace
}  // namespace parlance::face
