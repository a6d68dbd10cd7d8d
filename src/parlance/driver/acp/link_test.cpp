// SPDX-License-Identifier: Apache-2.0
// Session data beside prompts: folders, modes, the end of a session; and files that the agent reads.
#include <chrono>
#include <thread>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/driver/acp/limits.h"
#include "parlance/driver/acp/test_support.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/turn_event.h"

namespace parlance::driver {
namespace {

using test::AcpBench;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

acp::AgentCapabilities with(acp::SessionCapabilities session) { return {.load_session = true, .session = std::move(session)}; }

// A conversation with a second folder.
std::string in_two_folders(AcpBench& bench) {
  return bench.loop.block_on(bench.hub->create({.agent = "acp", .folder = "/project", .folders = {"/more"}}))->id;
}

TEST(AcpLink, FurtherFoldersReachAgentsWithSupport) {
  for (const bool knows : {true, false}) {
    AcpBench bench;
    std::vector<std::optional<std::vector<std::string>>> received;
    if (knows) bench.agent_script.initialized.capabilities = with({.additional_directories = acp::Supported{}});
    else bench.agent_script.initialized.capabilities = with({});
    bench.agent_script.begin = [&](const acp::NewSession& asked) { received.push_back(asked.additional_directories); };
    bench.agent_script.load = [&](const acp::LoadSession& asked, Peer&) { received.push_back(asked.additional_directories); };
    const std::string id = in_two_folders(bench);
    bench.begin(id);
    bench.restart();
    bench.begin(id);
    const std::optional<std::vector<std::string>> wanted =
        knows ? std::optional(std::vector<std::string>{"/more"}) : std::nullopt;
    EXPECT_THAT(received, ElementsAre(wanted, wanted)) << knows;
  }
}

TEST(AcpLink, SessionResumesWithoutAReplay) {
  AcpBench bench;
  bench.agent_script.initialized.capabilities = with({.resume = acp::Supported{}});
  bench.router.on(acp::method::resume_session, [&](const acp::LoadSession&, Context& context) -> Result<acp::SessionState> {
    bench.agent_script.asked.push_back(context.method);
    return acp::SessionState{};
  });
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  bench.restart();
  bench.begin(id);
  EXPECT_THAT(bench.agent_script.asked, Contains("session/resume"));
  EXPECT_THAT(bench.agent_script.asked, Not(Contains("session/load")));
}

TEST(AcpLink, CloseEndsTheSessionWithinATimeout) {
  AcpBench bench;
  bench.agent_script.initialized.capabilities = with({.close = acp::Supported{}});
  bool answers = true;
  std::vector<std::string> closed;
  bench.router.on(acp::method::close_session, [&](const acp::OfSession& request, Context&) -> Task<Result<acp::EmptyReply>> {
    closed.push_back(request.session_id);
    if (!answers) co_await bench.agent_script.proceed.wait();
    co_return acp::EmptyReply{};
  });
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  bench.hub->close_agents("acp");
  bench.settle();
  EXPECT_THAT(closed, ElementsAre("s-1"));
  answers = false;
  bench.begin(id, "again");
  bench.hub->close_agents("acp");
  bench.settle();
  bench.prompt(id, "once more");
  bench.loop.advance(limits::acp_close_patience);
  bench.settle();
  bench.loop.advance(acp::limits::goodbye);
  bench.settle();
  EXPECT_EQ(bench.agent_script.prompts.size(), 3U) << "it begins anew";
}

TEST(AcpLink, CapabilitiesUseTheAgentsDialect) {
  for (const bool iflow : {false, true}) {
    AcpAgentSettings settings;
    if (iflow) settings.flavour = acp::Flavour::iflow;
    AcpBench bench(std::move(settings));
    std::string received;
    bench.agent_script.initialize = [&](const acp::InitializeParams& asked) { received = json::to_text(*asked.capabilities); };
    bench.agent_script.initialized.is_authenticated = true;
    bench.begin(bench.acp_conversation());
    if (iflow) EXPECT_EQ(received, R"({"fs":{"readTextFile":true,"writeTextFile":true},"terminal":false})");
    else
      EXPECT_EQ(received,
                R"({"fs":{"readTextFile":true,"writeTextFile":true},"terminal":true,"session":{"compaction":{},)"
                R"("configOptions":{"boolean":{}},"notices":{}},"auth":{"terminal":true},"elicitation":{"form":{},"url":{}}})");
  }
}

TEST(AcpLink, FinishedPageOfTheAgentIsReported) {
  AcpBench bench;
  bench.agent_script.prompt = [](const acp::Prompt&, Peer& agent) -> Task<Result<acp::PromptResult>> {
    static_cast<void>(agent.notify(acp::method::elicitation_complete, {.elicitation_id = "e"}));
    co_return acp::PromptResult{};
  };
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  EXPECT_EQ(bench.events<hub::event::Notice>(id).front().text, "Tester says that the page it asked for is done.");
}

TEST(AcpLink, SettingsAreWrittenBeforeEachPromptWithFaults) {
  std::vector<std::string> models;
  AcpAgentSettings settings;
  settings.write_settings = [&](const std::string& model) {
    models.push_back(model);
    return std::string(models.size() == 2 ? "kept beside" : "");
  };
  AcpBench bench(std::move(settings));
  const std::string id = bench.loop.block_on(bench.hub->create({.agent = "acp", .folder = "/project", .model = "glm-4.6"}))->id;
  bench.begin(id);
  bench.begin(id, "again");
  bench.begin(bench.acp_conversation());
  EXPECT_THAT(models, ElementsAre("glm-4.6", "glm-4.6", ""));
  const auto notices = bench.events<hub::event::Notice>(id);
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_EQ(notices.front().text, "kept beside");
}

TEST(AcpLink, MissingProgramIsReportedUntilItsInstallation) {
  AcpAgentSettings settings;
  bool there = false;
  settings.command = {"agent-of-this-test"};
  settings.find = [&](bool) -> Task<Result<AcpProgram>> {
    if (!there) co_return fail(Errc::not_found, "install it");
    co_return AcpProgram{.command = {"agent-of-this-test"}, .detail = "agent 1.0"};
  };
  std::vector<hub::AgentInfo> received;
  settings.changed = [&](const hub::AgentInfo& info) { received.push_back(info); };
  AcpBench bench(std::move(settings));
  bench.loop.block_on(bench.hub->look_for_agents());
  ASSERT_EQ(received.size(), 1U);
  EXPECT_EQ(received.back().state, hub::Health::down);
  EXPECT_EQ(received.back().detail, "install it");
  there = true;
  bench.loop.block_on(bench.hub->look_for_agents());
  ASSERT_EQ(received.size(), 2U);
  EXPECT_EQ(received.back().state, hub::Health::ready);
  EXPECT_EQ(received.back().detail, "agent 1.0");
  bench.loop.block_on(bench.hub->look_for_agents());
  EXPECT_EQ(received.size(), 2U) << "nothing has changed";
}

// ---- iFlow -----------------------------------------------------------------------------------------------------------

TEST(IflowLink, SessionLoadsWithoutADeclaredCapability) {
  AcpBench bench({.flavour = acp::Flavour::iflow});
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  bench.restart();
  bench.begin(id, "again");
  EXPECT_THAT(bench.agent_script.asked, Contains("session/load"));
  EXPECT_TRUE(open_asks(*bench.hub).empty()) << "a new session needs no approval";
}

TEST(IflowLink, AModelIsWrittenToTheSettingsWhereTheMethodIsUnknown) {
  std::vector<std::string> written;
  AcpAgentSettings settings{.flavour = acp::Flavour::iflow};
  settings.write_settings = [&](const std::string& model) {
    written.push_back(model);
    return std::string();
  };
  AcpBench bench(std::move(settings));
  bench.router.on(acp::method::set_model, [](const acp::SetModel&, Context&) -> Result<acp::ModelSet> {
    return fail(Errc::unknown_method, "Method not found: session/set_model");
  });
  const std::string id = bench.acp_conversation();
  bench.begin(id);
  written.clear();
  EXPECT_TRUE(bench.loop.block_on(bench.hub->submit(id, hub::ChangeSettings{{.model = "glm-4.6"}})));
  EXPECT_THAT(written, ElementsAre("glm-4.6"));
  bench.begin(id, "again");
  EXPECT_TRUE(bench.events<hub::event::Failure>(id).empty());
}

// A program without support for stdio exits at once: the driver starts it on a port.
TEST(IflowLink, ExitingProgramIsStartedOnAPort) {
  AcpBench bench({.flavour = acp::Flavour::iflow});
  const auto connect = std::exchange(bench.settings.connect, {});
  bench.settings.command = {"false"};
  int started = 0;
  int stopped = 0;
  bench.settings.start_listening = [&](std::string) -> Task<Result<ListeningAgent>> {
    ++started;
    co_return ListeningAgent{.connect = connect, .stop = [&]() -> Task<void> {
                               ++stopped;
                               co_return;
                             }};
  };
  bench.restart();
  const std::string id = bench.loop.block_on(bench.hub->create({.agent = "acp", .folder = "/"}))->id;
  bench.begin(id);
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);  // a real program
  while (bench.events<hub::event::TurnEnd>(id).empty() && std::chrono::steady_clock::now() < patience) {
    bench.settle();
    std::this_thread::yield();
  }
  EXPECT_EQ(started, 1);
  ASSERT_EQ(bench.agent_script.prompts.size(), 1U);
  bench.hub->close_agents("acp");
  bench.settle();
  EXPECT_EQ(stopped, 1);
}

}  // namespace
}  // namespace parlance::driver
