// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/deployed_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/parlance/config/test_support.h"

namespace parlance::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class DeployedSettings : public test::ConfigTest {};

// ---- the agent's socket

TEST_F(DeployedSettings, TheSocketIsInTheSessionsFolderIfPrivate) {
  EXPECT_EQ(usual_agent_socket(), seed_agent_socket);
  set("XDG_RUNTIME_DIR", base);
  EXPECT_EQ(usual_agent_socket(), base + "/parlance/agent.sock");
  EXPECT_EQ(resolved().text("agent-socket"), base + "/parlance/agent.sock");
  EXPECT_EQ(resolved({{"agent-socket", "/tmp/x.sock"}}).text("agent-socket"), "/tmp/x.sock");
}

TEST_F(DeployedSettings, AnUnusableSessionFolderIsSkipped) {
  for (const std::string& folder : {base + "/none", std::string("relative"), write("a-file", ""), std::string("/")}) {
    set("XDG_RUNTIME_DIR", folder);
    if (folder == "/" && ::geteuid() == 0) continue;  // it is ours then
    EXPECT_EQ(usual_agent_socket(), seed_agent_socket) << folder;
  }
  const std::string deep = base + "/" + std::string(120, 'x');  // longer than the name of a socket may be
  std::filesystem::create_directory(deep);
  set("XDG_RUNTIME_DIR", deep);
  EXPECT_EQ(usual_agent_socket(), seed_agent_socket);
}

// ---- the address

TEST_F(DeployedSettings, HostAndPortOfTheDeployedProgramMakeAnAddress) {
  set("OPENCLAW_PORT", "8080");
  EXPECT_EQ(resolved().text("listen"), "127.0.0.1:8080");
  EXPECT_EQ(resolved()["listen"].origin, "environment OPENCLAW_PORT");
  set("OPENCLAW_HOST", "0.0.0.0");
  EXPECT_EQ(resolved().text("listen"), "0.0.0.0:8080");
  EXPECT_EQ(resolved()["listen"].origin, "environment OPENCLAW_HOST and OPENCLAW_PORT");
  unset("OPENCLAW_PORT");
  EXPECT_EQ(resolved().text("listen"), "0.0.0.0:55003");
}

TEST_F(DeployedSettings, AnAddressOfTheNewKindIsPutInBrackets) {
  set("OPENCLAW_HOST", "::1");
  EXPECT_EQ(resolved().text("listen"), "[::1]:55003");
  set("OPENCLAW_HOST", "[::1]");
  EXPECT_EQ(resolved().text("listen"), "[::1]:55003");
}

TEST_F(DeployedSettings, OurOwnNamesCountMoreThanTheirs) {
  set("OPENCLAW_PORT", "8080");
  own("listen = \"127.0.0.1:9000\"\n");
  EXPECT_EQ(resolved().text("listen"), "127.0.0.1:8080") << "a file counts less than the environment";
  set("PARLANCE_LISTEN", "127.0.0.1:7000");
  EXPECT_EQ(resolved().text("listen"), "127.0.0.1:7000");
  EXPECT_EQ(resolved({{"listen", "127.0.0.1:6000"}}).text("listen"), "127.0.0.1:6000");
}

// ---- the model

TEST_F(DeployedSettings, AKeyForParlanceChoosesAModel) {
  EXPECT_EQ(resolved().text("model"), "rehearsal");
  set("PARLANCE_API_KEY", "k");
  EXPECT_EQ(resolved().text("model"), "openai");
  EXPECT_EQ(resolved()["model"].origin, "because of environment PARLANCE_API_KEY");
  EXPECT_EQ(resolved({{"model", "rehearsal"}}).text("model"), "rehearsal");
}

TEST_F(DeployedSettings, AKeyForOtherProgramsSendsNoDataAnywhere) {
  set("OPENAI_API_KEY", "k");
  set("ANTHROPIC_API_KEY", "k");
  set("OPENAI_BASE_URL", "http://host/v1");
  EXPECT_EQ(resolved().text("model"), "rehearsal");
}

TEST_F(DeployedSettings, AUrlChoosesTheNamedModel) {
  set("OPENCLAW_BASE_URL", "https://API.Anthropic.com");
  EXPECT_EQ(resolved().text("model"), "anthropic");
  EXPECT_EQ(resolved({{"model-url", "http://localhost:11434/v1"}}).text("model"), "openai");
  EXPECT_EQ(resolved({{"model-url", ""}}).text("model"), "rehearsal");
}

TEST_F(DeployedSettings, TheOriginOfAKeyIsShownAndNotTheKey) {
  set("OPENAI_API_KEY", "sk-secret");
  EXPECT_EQ(model_key_origin(resolved({{"model", "openai"}})), "OPENAI_API_KEY");
  EXPECT_EQ(model_key_origin(resolved({{"model", "anthropic"}})), "");
  EXPECT_EQ(model_key_origin(resolved({{"model", "rehearsal"}})), "");
  EXPECT_EQ(model_key_origin(resolved({{"model", "none"}})), "");
  set("PARLANCE_API_KEY", "  ");
  EXPECT_EQ(model_key_origin(resolved({{"model", "openai"}})), "OPENAI_API_KEY") << "blanks are no key";
  EXPECT_EQ(model_key_origin(resolved({{"model", "openai"}, {"model-key-file", "/key"}})), "--model-key-file");
}

TEST_F(DeployedSettings, SettingsWithoutEffectAreReported) {
  EXPECT_THAT(ignored_settings(resolved()), IsEmpty());
  set("OPENAI_API_KEY", "k");
  EXPECT_THAT(ignored_settings(resolved()),
              ElementsAre("The key in OPENAI_API_KEY is not used by the model rehearsal; --model openai would."));
  EXPECT_THAT(ignored_settings(resolved({{"model", "openai"}})), IsEmpty());
  EXPECT_THAT(ignored_settings(resolved({{"model", "openai"}, {"model-key-file", "/key"}})),
              ElementsAre("The key in OPENAI_API_KEY is not used: --model-key-file counts more."));
  unset("OPENAI_API_KEY");
  EXPECT_THAT(ignored_settings(resolved({{"model", "rehearsal"}, {"model-name", "m"}})),
              ElementsAre("--model-name (flag --model-name) is not used by the model rehearsal."));
}

TEST_F(DeployedSettings, TheAgentsListenerIsAUserOfThisMachine) {
  EXPECT_TRUE(agent_peers(resolved()).users.empty());
  EXPECT_THAT(agent_peers(resolved({{"agent-user", "root"}})).users, ElementsAre(0U));
  EXPECT_TRUE(agent_peers(resolved({{"agent-user", "nobody-of-that-name"}})).users.empty());
}

}  // namespace
}  // namespace parlance::app
