// SPDX-License-Identifier: Apache-2.0
// The real programs of the presets in a hub, with scripted models, in folders of the test.
#pragma once

#include <algorithm>

#include "parlance/base/text.h"
#include "parlance/driver/acp/presets.h"
#include "tests/peers/acp/agent_fixture.h"
#include "tests/peers/agent_programs.h"

namespace parlance::test {

class RealAgentTest : public AcpAgentTest {
 protected:
  // Skips the test where the program is missing: check IsSkipped() afterwards.
  void needs_agent(std::string_view preset) {
    const auto* const found = std::ranges::find(real_agents, preset, &RealAgent::preset);
    ASSERT_NE(found, real_agents.end());
    real = *found;
    needs(std::string(real.peer), std::string(preset == "copilot" ? "@github/copilot-linux-x64" : real.file));
    if (!base.empty())
      for (const char* const folder : {"/out", "/tmp"}) std::filesystem::create_directories(base + folder);
  }
  // Our preset with the program of .peers, its scripted model and a fresh home.
  driver::AcpAgentSettings settings_of_agent() {
    driver::AcpAgentSettings settings = driver::settings_of(*driver::find_acp_preset(real.preset));
    const std::string program = in_packages(real, real.file);
    settings.command.front() = program;
    if (program.ends_with(".js")) settings.command.insert(settings.command.begin(), PARLANCE_NODE);
    const std::string url = started_model(std::string(real.model), real.flags_of_model());
    const Variables variables = prepared_agent(real, url, base + "/home");
    settings.environment.insert(settings.environment.end(), variables.begin(), variables.end());
    settings.environment.insert(settings.environment.end(),
                                {{"HOME", base + "/home"}, {"TMPDIR", base + "/tmp"}, {"IS_SANDBOX", "1"}});
    if (real.preset == "qwen") settings.command.insert(settings.command.end(), {"--auth-type", "openai"});
    return settings;
  }
  toolbox::McpServerSettings server_near() {
    const std::string program = PARLANCE_BINARY_DIR "/bin/mcp_fixture_server";
    if (!real.mcp_by_address) return {.name = "near", .command = {program}};
    return {.name = "near", .url = started({program, "--http"})};
  }
  std::string version() const { return version_of(real); }
  std::string placed(std::string text) const {
    return replaced(replaced(std::move(text), "{w}", base + "/work"), "{out}", base + "/out");
  }

  RealAgent real{};
};

}  // namespace parlance::test
