// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/iflow_agent.h"

#include <sys/stat.h>

#include <gmock/gmock.h>

#include "apps/parlance/config/test_support.h"
#include "parlance/driver/acp/presets.h"

namespace parlance::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class IflowAgent : public test::ConfigTest {
 protected:
  IflowAgent() {
    program = write("bin/iflow", "#!/usr/bin/env node\n");
    ::chmod(program.c_str(), 0755);
    node = write("bin/node", "#!/bin/sh\necho 0.5.19\n");
    ::chmod(node.c_str(), 0755);
    set("PATH", base + "/bin");
    set("SHELL", "");
    unset("IFLOW_HOME");
  }
  driver::AcpAgentSettings agent(std::map<std::string, std::string> flags = {}) {
    settings = resolved(flags);
    driver::AcpAgentSettings made = driver::settings_of(*driver::find_acp_preset("iflow"));
    const auto done = complete_iflow(loop, *settings, made);
    EXPECT_TRUE(done) << done.error().message;
    return made;
  }
  std::vector<std::string> command(const driver::AcpAgentSettings& agent) {
    const auto found = loop.block_on(agent.find(false));
    return found ? found->command : std::vector<std::string>{found.error().message};
  }
  static std::string contents(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  Loop loop;
  std::optional<Settings> settings;
  std::string program;
  std::string node;
};

TEST_F(IflowAgent, RunsOnTheNamedNodeElseOnItsOwn) {
  EXPECT_THAT(command(agent({{"iflow-node", "/opt/node"}})), ElementsAre("/opt/node", program, "--experimental-acp", "--stream"));
  EXPECT_THAT(command(agent()), ElementsAre(node, program, "--experimental-acp", "--stream"));
}

TEST_F(IflowAgent, IsSearchedAgainAndReportedWithItsVersion) {
  const driver::AcpAgentSettings it = agent();
  EXPECT_EQ(loop.block_on(it.find(true))->detail, "iFlow 0.5.19, installed as " + program);
  std::filesystem::remove(program);
  EXPECT_THAT(command(it), ElementsAre(node, testing::_, testing::_, testing::_)) << "it is remembered";
  EXPECT_THAT(loop.block_on(it.find(true)).error().message, HasSubstr("npm install"));
}

TEST_F(IflowAgent, AProgramOfThePersonsOwnIsTaken) {
  settings = resolved({});
  driver::AcpAgentSettings own{.id = "mine", .command = {program, "--mine"}, .flavour = acp::Flavour::iflow};
  set("PATH", "/nowhere");
  ASSERT_TRUE(complete_iflow(loop, *settings, own));
  EXPECT_THAT(command(own), ElementsAre(node, program, "--mine"));
  driver::AcpAgentSettings other{.id = "qwen", .command = {"qwen"}};
  ASSERT_TRUE(complete_iflow(loop, *settings, other));
  EXPECT_FALSE(other.find);
}

TEST_F(IflowAgent, ARunningAgentReadsItsSettingsOnItsOwnMachine) {
  settings = resolved({});
  for (const auto& [url, here] :
       {std::pair("ws://localhost:8090/acp", true), {"ws://[::1]:8090/acp", true}, {"wss://iflow.example:443/acp", false}}) {
    driver::AcpAgentSettings running{.id = "iflow", .url = url, .flavour = acp::Flavour::iflow};
    ASSERT_TRUE(complete_iflow(loop, *settings, running));
    EXPECT_EQ(running.write_settings != nullptr, here) << url;
    EXPECT_FALSE(running.find);
  }
}

TEST_F(IflowAgent, ItsSettingsAreWrittenBeforeAPrompt) {
  const std::string key = write("key", "sk-iflow\n");
  ::chmod(key.c_str(), 0600);
  const driver::AcpAgentSettings it = agent({{"iflow-base-url", "https://models.example/v1"}, {"iflow-key-file", key}});
  EXPECT_EQ(it.write_settings("glm-4.6"), "");
  const std::string file = base + "/home/.iflow/settings.json";
  EXPECT_THAT(contents(file),
              testing::AllOf(HasSubstr("glm-4.6"), HasSubstr("https://models.example/v1"), HasSubstr("sk-iflow")));
  struct stat about{};
  ASSERT_EQ(::stat(file.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600U);
  write("home/.iflow/settings.json", "[1");
  EXPECT_THAT(it.write_settings("glm-4.6"), HasSubstr(file + " could not be read; it was kept as"));
}

TEST_F(IflowAgent, AKeyReadableForOthersIsRefused) {
  const std::string key = write("key", "sk-iflow\n");
  ::chmod(key.c_str(), 0644);
  settings = resolved({{"iflow-key-file", key}});
  driver::AcpAgentSettings it{.id = "iflow", .command = {"iflow"}, .flavour = acp::Flavour::iflow};
  EXPECT_EQ(complete_iflow(loop, *settings, it).error().code, Errc::denied);
}

}  // namespace
}  // namespace parlance::app
