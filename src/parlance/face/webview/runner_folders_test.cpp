// SPDX-License-Identifier: Apache-2.0
// A webview whose conversation works on a runner's machine.
#include <functional>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/face/webview/test_support.h"

namespace parlance::face {
namespace {

using namespace std::chrono_literals;
using test::TestWebview;
using test::WebviewBench;
using testing::HasSubstr;

// As the scripted one, but on a runner's machine.
class FarAgents final : public hub::AgentProvider {
 public:
  FarAgents(hub::test::Script& script, hub::test::AgentLog& log, std::string folder)
      : inner_(script, log), folder_(std::move(folder)) {}
  hub::AgentInfo info() const override {
    hub::AgentInfo told = inner_.info();
    told.id = "box/scripted";
    told.place = "box";
    told.folders = {folder_};
    return told;
  }
  Task<Result<std::unique_ptr<hub::Agent>>> open(hub::Conversation conversation, hub::AgentHost host) override {
    return inner_.open(std::move(conversation), host);
  }
  Task<Result<hub::FilesFound>> find_files(hub::FilesWanted wanted) override {
    co_return hub::FilesFound{.paths = {"there-" + wanted.typed}};
  }

 private:
  hub::test::ScriptedProvider inner_;
  std::string folder_;
};

class WebviewOfARunner : public testing::Test {
 protected:
  WebviewBench bench;
};

// Its folder has the name of one that is here as well.
TEST_F(WebviewOfARunner, OfAConversationOnARunnersMachineNoFileOfThisOneIsFoundOrRead) {
  bench.hub->add_agent(std::make_unique<FarAgents>(bench.script, bench.log, bench.folder));
  const auto view = std::make_unique<TestWebview>(bench.loop, bench.server, *bench.hub);
  view->send(R"({"type":"ready"})");
  view->send(R"({"type":"newConversation","agent":"box/scripted"})");
  bench.until([&] { return !view->state().text_or("currentConversationId", "").empty(); });
  view->send(R"({"type":"searchFiles","query":"a.t"})");
  bench.until([&] { return view->all("workspaceFiles").size() == 1; });
  EXPECT_THAT(json::to_text(view->last("workspaceFiles")), HasSubstr(R"("files":["there-a.t"])"));
  view->send(R"({"type":"readFiles","paths":["a.txt",")" + bench.folder + R"(/a.txt"]})");
  bench.until([&] { return view->all("fileContents").size() == 1; });
  const std::string told = json::to_text(view->last("fileContents"));
  EXPECT_THAT(told, testing::AllOf(HasSubstr("a file of the runner's machine"), testing::Not(HasSubstr("alpha"))));
  view->send(R"({"type":"sendMessage","prompt":"x","attachedFiles":[{"path":"a.txt"}]})");
  bench.until([&] { return !view->failure("sendMessage").empty(); });
  EXPECT_THAT(view->failure("sendMessage"), HasSubstr("a file of the runner's machine"));
  view->send(R"({"type":"setWorkspaceFolder","folder":"/tmp"})");
  bench.until([&] { return !view->failure("setWorkspaceFolder").empty(); });
  EXPECT_THAT(view->failure("setWorkspaceFolder"), HasSubstr("does not offer /tmp"));
}

}  // namespace
}  // namespace parlance::face
