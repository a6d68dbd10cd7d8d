// SPDX-License-Identifier: Apache-2.0
// Each webview message with each role, and the files that a webview over a network can read.
#include "parlance/face/webview/permissions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/face/webview/test_support.h"
#include "parlance/hub/test_team.h"

namespace parlance::face {
namespace {

using namespace std::chrono_literals;
using hub::Access;
using hub::Permission;
using hub::TeamRole;
using test::TestWebview;
using test::WebviewBench;
using testing::HasSubstr;
using testing::Not;

// The members of all messages together. A message ignores the members of others.
constexpr std::string_view members =
    R"(,"requestId":7,"outcome":"allow","answers":{},"option":"keep","mode":"plan","model":"m","think":true,"folder":"/nonexistent",)"
    R"("folders":["/"],"files":["/etc/passwd"],"paths":["/etc/passwd"],"path":"/etc/passwd","query":"x","prompt":"x",)"
    R"("context":{"activeFile":null,"selection":null},"conversationId":")";

struct TeamWebviews : hub::test::TeamOfTwo {
  WebviewServer server{loop, {.home = "/", .default_folder = "/nonexistent"}};
};

TEST_F(TeamWebviews, TheDispatcherRefusesAMessageWithoutPermission) {
  for (const TeamRole role : {TeamRole::viewer, TeamRole::member, TeamRole::admin}) {
    const std::string id = conversation(Access::team, "/nonexistent");  // nothing to search
    WebviewPermissions::each([&]<class Message>(Permission permission) {
      TestWebview view(loop, server, of("bob", role), {}, WebviewPeer::network);
      view.send(R"({"type":"ready"})");
      view.send(R"({"type":")" + std::string(Message::tag) + '"' + std::string(members) + id + R"("})");
      const std::string failure = view.failure(Message::tag);
      const std::string refused = "denied: " + std::string(hub::refusal_for(role, permission));
      const std::string about = std::string(Message::tag) + " by " + std::string(hub::to_string(role)) + ": " + failure;
      if (!hub::may_anywhere(role, permission)) EXPECT_EQ(failure, refused) << about;
      else EXPECT_NE(failure, refused) << about;
    });
  }
}

class NetworkWebview : public testing::Test {
 protected:
  std::unique_ptr<TestWebview> opened(WebviewPeer peer) {
    auto view = std::make_unique<TestWebview>(bench.loop, bench.server, *bench.hub, MemoryOptions{}, peer);
    view->send(R"({"type":"ready"})");
    return view;
  }
  std::string read(TestWebview& view, const std::string& path) {
    const std::size_t before = view.all("fileContents").size();
    view.send(R"({"type":"readFiles","paths":[")" + path + R"("]})");
    bench.until([&] { return view.all("fileContents").size() > before; });
    return json::to_text(view.last("fileContents"));
  }
  WebviewBench bench;
};

// These messages led to the gateway's token: a client named its own workspace and picked files.
TEST_F(NetworkWebview, FoldersAndPickedFilesCountOnlyFromAnEditorOnThisMachine) {
  const std::string secret = testing::TempDir() + "secret_" + std::to_string(::getpid());
  std::ofstream(secret) << "the token";
  const std::string folders = R"({"type":"workspaceFolders","folders":["/"]})";
  const std::string picked = R"({"type":"pickedFiles","files":[")" + secret + R"("]})";
  const auto far = opened(WebviewPeer::network);
  far->send(folders);
  EXPECT_THAT(far->failure("workspaceFolders"), HasSubstr("denied"));
  far->send(picked);
  EXPECT_THAT(far->failure("pickedFiles"), HasSubstr("denied"));
  EXPECT_THAT(read(*far, secret), Not(HasSubstr("the token")));
  far->send(R"({"type":"setWorkspaceFolder","folder":")" + testing::TempDir() + R"("})");
  EXPECT_THAT(read(*far, secret), Not(HasSubstr("the token"))) << "no conversation works there";
  EXPECT_THAT(read(*far, bench.folder + "/a.txt"), HasSubstr("alpha")) << "the default folder";

  EXPECT_THAT(read(*opened(WebviewPeer::this_machine), secret), Not(HasSubstr("the token")));
  const auto near = opened(WebviewPeer::this_machine);
  near->send(picked);
  EXPECT_THAT(read(*near, secret), HasSubstr("the token"));
  const auto in_folder = opened(WebviewPeer::this_machine);
  in_folder->send(R"({"type":"workspaceFolders","folders":[")" + testing::TempDir() + R"("]})");
  EXPECT_THAT(read(*in_folder, secret), HasSubstr("the token"));
  std::filesystem::remove(secret);
}

TEST_F(NetworkWebview, TheStateFolderIsUnreadableUnderEachName) {
  namespace fs = std::filesystem;
  const std::string state = bench.folder + "/state";
  fs::create_directories(state);
  bench.write("state/token", "s3cret");
  fs::create_symlink(state, bench.folder + "/link");
  fs::create_symlink(state + "/token", bench.folder + "/token.txt");
  WebviewServer server(bench.loop, {.home = "/", .default_folder = bench.folder, .state_folder = bench.folder + "/link"});
  TestWebview view(bench.loop, server, *bench.hub);
  view.send(R"({"type":"ready"})");
  view.send(R"({"type":"workspaceFolders","folders":["/",")" + state + R"("]})");
  view.send(R"({"type":"pickedFiles","files":[")" + state + R"(/token"]})");
  for (const std::string& path : {state + "/token", bench.folder + "/link/token", bench.folder + "/token.txt"}) {
    const std::string contents = read(view, path);
    EXPECT_THAT(contents, Not(HasSubstr("s3cret"))) << path;
    EXPECT_THAT(contents, HasSubstr("state folder")) << path;
    view.send(R"({"type":"sendMessage","prompt":"x","attachedFiles":[{"path":")" + path + R"("}]})");
    EXPECT_THAT(view.failure("sendMessage"), HasSubstr("state folder")) << path;
  }
  EXPECT_THAT(read(view, bench.folder + "/a.txt"), HasSubstr("alpha"));
}

TEST_F(TeamWebviews, AReaderOfAConversationGetsNoneOfItsFiles) {
  const auto made = hub::test::outcome_of(
      loop, of("ann", TeamRole::member).create({.agent = "scripted", .folder = "/tmp", .access = Access::view}));
  ASSERT_TRUE(made);
  TestWebview view(loop, server, of("bob", TeamRole::member), {}, WebviewPeer::network);
  view.send(R"({"type":"ready","conversationId":")" + made->id + R"("})");
  for (const std::string type : {"readFiles", "searchFiles", "listWorkspaceFiles", "sendMessage"}) {
    view.send(R"({"type":")" + type + R"(","paths":["/tmp/x"],"query":"x","prompt":"x"})");
    EXPECT_THAT(view.failure(type), HasSubstr("denied: you may only read this conversation")) << type;
  }
}

}  // namespace
}  // namespace parlance::face
