// SPDX-License-Identifier: Apache-2.0
// The agent behind a webview: on a runner's machine, and chosen by the setting default-agent.
#include <functional>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/face/webview/state.h"
#include "parlance/face/webview/test_support.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/runtime/snapshot.h"

namespace parlance::face {
namespace {

using namespace std::chrono_literals;
using test::TestWebview;
using test::WebviewBench;
using testing::HasSubstr;

// The scripted agent on a runner's machine.
class FarAgents final : public hub::AgentProvider {
 public:
  FarAgents(hub::test::Script& script, hub::test::AgentLog& log, std::string folder)
      : inner_(script, log), folder_(std::move(folder)) {}
  hub::AgentInfo info() const override {
    hub::AgentInfo info = inner_.info();
    info.id = "box/scripted";
    info.runner = "box";
    info.folders = {folder_};
    return info;
  }
  Task<Result<std::unique_ptr<hub::Agent>>> open(hub::SessionSetup setup, hub::AgentHost host) override {
    return inner_.open(std::move(setup), host);
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

// The runner's folder has the name of a folder of this machine.
TEST_F(WebviewOfARunner, AConversationOnARunnerReadsNoFileOfThisMachine) {
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
  const std::string contents = json::to_text(view->last("fileContents"));
  EXPECT_THAT(contents, testing::AllOf(HasSubstr("a path on the runner's machine"), testing::Not(HasSubstr("alpha"))));
  view->send(R"({"type":"sendMessage","prompt":"x","attachedFiles":[{"path":"a.txt"}]})");
  bench.until([&] { return !view->failure("sendMessage").empty(); });
  EXPECT_THAT(view->failure("sendMessage"), HasSubstr("a path on the runner's machine"));
  view->send(R"({"type":"setWorkspaceFolder","folder":"/tmp"})");
  bench.until([&] { return !view->failure("setWorkspaceFolder").empty(); });
  EXPECT_THAT(view->failure("setWorkspaceFolder"), HasSubstr("does not offer /tmp"));
}

// The second agent of the list, behind the scripted agent.
class SecondAgent final : public hub::AgentProvider {
 public:
  SecondAgent(hub::test::Script& script, hub::test::AgentLog& log, hub::Health state) : inner_(script, log), state_(state) {}
  hub::AgentInfo info() const override {
    hub::AgentInfo info = inner_.info();
    info.id = "iflow";
    info.state = state_;
    info.detail = "not found";
    return info;
  }
  Task<Result<std::unique_ptr<hub::Agent>>> open(hub::SessionSetup setup, hub::AgentHost host) override {
    return inner_.open(std::move(setup), host);
  }

 private:
  hub::test::ScriptedProvider inner_;
  hub::Health state_;
};

class WebviewAgent : public testing::Test {
 protected:
  // Messages of a webview for iFlow name no agent.
  std::string agent_of_a_message(hub::Health state) {
    bench.hub->add_agent(std::make_unique<SecondAgent>(bench.script, bench.log, state));
    view = std::make_unique<TestWebview>(bench.loop, server, *bench.hub);
    view->send(R"({"type":"ready"})");
    view->send(R"({"type":"sendMessage","prompt":"hello"})");
    bench.until([&] { return !bench.hub->snapshot().conversations.empty() || !view->failure("sendMessage").empty(); });
    const auto all = bench.hub->snapshot().conversations;
    return all.empty() ? view->failure("sendMessage") : all.front().agent;
  }
  WebviewBench bench;
  WebviewServer server{bench.loop,
                       {.home = testing::TempDir(), .default_folder = bench.folder, .agent = "iflow", .file_bytes = 100}};
  std::unique_ptr<TestWebview> view;
};

TEST_F(WebviewAgent, TheSettingChoosesTheAgentOfAnUnchangedWebview) {
  EXPECT_EQ(agent_of_a_message(hub::Health::ready), "iflow");
  view->send(R"({"type":"newConversation","agent":"scripted"})");
  bench.until([&] { return bench.hub->snapshot().conversations.size() == 2; });
  view->send(R"({"type":"newConversation"})");
  bench.until([&] { return bench.hub->snapshot().conversations.size() == 3; });
  EXPECT_EQ(bench.hub->snapshot().conversations.front().agent, "iflow") << "also beside a conversation with another agent";
}

TEST_F(WebviewAgent, AnUnavailableAgentIsNotReplacedByAnotherAgent) {
  EXPECT_EQ(agent_of_a_message(hub::Health::down), "iflow");
  EXPECT_EQ(json::to_text(*view->state().find("cliAvailable")), "false");
  EXPECT_THAT(view->state().text_or("cliDiagnostics", ""), HasSubstr("not found"));
}

TEST_F(WebviewAgent, AMissingAgentIsReportedWithTheSetting) {
  view = std::make_unique<TestWebview>(bench.loop, server, *bench.hub);
  view->send(R"({"type":"ready"})");
  EXPECT_THAT(view->state().text_or("cliDiagnostics", ""), HasSubstr("default-agent"));
  view->send(R"({"type":"sendMessage","prompt":"hello"})");
  EXPECT_THAT(view->failure("sendMessage"), HasSubstr("default-agent"));
}

// Without the setting: the first agent that is available.
TEST_F(WebviewAgent, WithoutTheSettingAnUnavailableAgentIsSkipped) {
  std::vector<hub::AgentInfo> agents{{.id = "parlance", .state = hub::Health::down}, {.id = "iflow"}};
  EXPECT_EQ(webview_agent(agents, "")->id, "iflow");
}

// The length in a prompt.
TEST_F(WebviewAgent, ASelectionIsSentBackAtTheLengthOfAPrompt) {
  view = std::make_unique<TestWebview>(bench.loop, server, *bench.hub);
  view->send(R"({"type":"ready"})");
  view->send(R"({"type":"ideContextChanged","context":{"activeFile":null,"selection":{"filePath":"/a","fileName":"a","text":")" +
             std::string(100'000, 'x') + R"(","lineStart":1,"lineEnd":9}}})");
  const json::Value message = view->last("ideContextChanged");
  EXPECT_EQ(message.find("context")->find("selection")->text_or("text", "").size(), adapter::prompt_selection_bytes);
}

}  // namespace
}  // namespace parlance::face
