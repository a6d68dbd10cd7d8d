// SPDX-License-Identifier: Apache-2.0
// Gemini's CLI protocol with an editor: access, the two tools, and notifications.
#include "parlance/face/ide/gemini_ide.h"

#include "parlance/face/ide/test_support.h"
#include "parlance/protocol/mcp/http_link.h"
#include "parlance/transport/whole_file.h"

namespace parlance::face {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class GeminiIdeTest : public test::IdeTest {
 protected:
  GeminiIdeTest() {
    const auto keep = [this](const auto& notice) {
      using Parameters = typename std::decay_t<decltype(notice)>::Parameters;
      router.on(notice, [this, name = std::string(notice.method)](const Parameters& now, Context&) {
        notices.push_back(name + " " + json::to_text(now));
      });
    };
    keep(gemini_ide::context_update);
    keep(gemini_ide::diff_accepted);
    keep(gemini_ide::diff_rejected);
  }
  void SetUp() override {
    auto made = GeminiIde::listen(loop, editor, {.temporary_folder = folder.string(), .folders = {"/w", "/v"}, .version = "9"});
    ASSERT_TRUE(made) << made.error().message;
    ide = *std::move(made);
    link = std::make_unique<mcp::HttpLink>(
        loop, mcp::HttpLinkSettings{.url = url(), .headers = {{"Authorization", "Bearer " + ide->token()}}});
  }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(ide->port()) + "/mcp"; }
  std::unique_ptr<test::TestAgent> agent() {
    auto route = std::make_shared<mcp::Route>();
    auto frames = link->frames(route);
    auto made = std::make_unique<test::TestAgent>(loop, std::move(frames), router, route);
    const auto begun = made->initialize();
    link->speak(mcp::Era::legacy, begun.protocol_version);
    link->open_stream();
    until([&] { return !notices.empty(); });  // open files, sent at the begin of the stream
    notices.clear();
    return made;
  }
  int status(std::vector<HttpHeader> headers) {
    HttpClient client(loop);
    headers.push_back({"Content-Type", "application/json"});
    const auto reply = loop.block_on(client.fetch(
        {.method = "POST", .url = url(), .headers = std::move(headers), .body = R"({"jsonrpc":"2.0","id":1,"method":"ping"})"}));
    return reply ? reply->status : 0;
  }

  Router router;
  std::vector<std::string> notices;
  std::unique_ptr<GeminiIde> ide;
  std::unique_ptr<mcp::HttpLink> link;
};

TEST_F(GeminiIdeTest, TheFileIsForThisUserAndGoesAtTheEnd) {
  const std::string path = ide->file();
  EXPECT_EQ(path, (folder / "gemini" / "ide" /
                   ("gemini-ide-server-" + std::to_string(::getppid()) + "-" + std::to_string(ide->port()) + ".json"))
                      .string());
  EXPECT_EQ(test::mode_of(path), 0600U);
  const auto file = json::parse_or_null(read_whole_file(path).value());
  EXPECT_EQ(file.integer_or("port", 0), ide->port());
  EXPECT_EQ(file.text_or("workspacePath", ""), "/w:/v");
  EXPECT_EQ(file.text_or("authToken", ""), ide->token());
  EXPECT_EQ(json::to_text(*file.find("ideInfo")), R"({"name":"editor","displayName":"Editor"})");
  ide.reset();
  EXPECT_FALSE(test::fs::exists(path));
}

TEST_F(GeminiIdeTest, ConnectionRequiresTheToken) {
  const HttpHeader token{"Authorization", "Bearer " + ide->token()};
  EXPECT_EQ(status({}), 401);
  EXPECT_EQ(status({{"Authorization", "Bearer x"}}), 401);
  EXPECT_EQ(status({token, {"Origin", "http://127.0.0.1"}}), 403) << "a browser";
  EXPECT_EQ(status({token, {"Host", "evil.example"}}), 403);
  EXPECT_NE(status({token}), 401);
}

TEST_F(GeminiIdeTest, DecisionOfThePersonIsSent) {
  const auto client = agent();
  const std::string change = R"({"filePath":"/w/n","newContent":"new"})";
  EXPECT_THAT(client->call("openDiff", change), ElementsAre()) << "at once, and nothing";
  until([&] { return editor.diffs == 1; });
  EXPECT_EQ(editor.proposed.new_content, "new");
  editor.decide({.accepted = true, .content = "edited", .edited = true});
  until([&] { return !notices.empty(); });
  EXPECT_THAT(notices, ElementsAre(R"(ide/diffAccepted {"filePath":"/w/n","content":"edited"})"));
  client->call("openDiff", change);
  until([&] { return editor.diffs == 1; });
  editor.decide({.reason = "button"});
  until([&] { return notices.size() == 2; });
  EXPECT_EQ(notices.back(), R"(ide/diffRejected {"filePath":"/w/n"})");
}

TEST_F(GeminiIdeTest, AChangeIsTakenBackQuietlyOrNot) {
  const auto client = agent();
  for (const bool quiet : {true, false}) {
    client->call("openDiff", R"({"filePath":"/w/n","newContent":"new"})");
    until([&] { return editor.diffs == 1; });
    EXPECT_THAT(
        client->call("closeDiff", quiet ? R"({"filePath":"/w/n","suppressNotification":true})" : R"({"filePath":"/w/n"})"),
        ElementsAre(R"({"content":"new"})"));
    until([&] { return editor.diffs == 0; });
  }
  until([&] { return !notices.empty(); });
  EXPECT_THAT(notices, ElementsAre(R"(ide/diffRejected {"filePath":"/w/n"})"));
  EXPECT_THAT(client->call("closeDiff", R"({"filePath":"/w/other"})"), ElementsAre("{}"));
}

TEST_F(GeminiIdeTest, ManyChangesCauseASingleUpdate) {
  const auto client = agent();
  const int before = editor.asked_for_selection;
  editor.selected.text = std::string((16 << 10) - 1, 'a') + "é";
  for (int i = 0; i < 5; ++i) ide->context_changed();
  until([&] { return !notices.empty(); });
  EXPECT_THAT(notices, testing::SizeIs(1));
  EXPECT_EQ(editor.asked_for_selection, before + 1);
  EXPECT_THAT(notices[0], HasSubstr(R"({"workspaceState":{"openFiles":[{"path":"/w/a b.cpp","timestamp":)"));
  EXPECT_THAT(notices[0], HasSubstr("a\",\"cursor\":{\"line\":2,\"character\":6}}],\"isTrusted\":true}}"))
      << "cut at a character";
}

}  // namespace
}  // namespace parlance::face
