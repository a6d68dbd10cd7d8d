// SPDX-License-Identifier: Apache-2.0
// The real programs of the presets with scripted models, in folders of the test: their start, and their tools in words of the model.
#pragma once

#include <array>
#include <map>
#include <optional>

#include "parlance/base/text.h"
#include "parlance/driver/acp/presets.h"
#include "tests/peers/acp/agent_fixture.h"

namespace parlance::test {

// `%` in a pattern is a path, a command or an address.
struct AgentTools {
  std::string_view write{};   // writes "x" into a file
  std::string_view change{};  // replaces "one" in a.txt of the folder
  std::string_view command{};
  std::string_view read{};
  std::string_view fetch{};  // empty: no tool for pages
  std::string_view mcp{};    // test_simple_text of the server "near"
};

struct RealAgent {
  std::string_view preset;
  std::string_view peer;     // in scripts/peers.json
  std::string_view package;  // of npm, with the version
  std::string_view file;     // the program, in node_modules
  std::string_view model;    // in tests/peers/models
  AgentTools tools{};
  bool mcp_by_address = false;  // takes no MCP server on stdio

  // Qwen Code lists some tools only after a search, and accepts calls of all of them.
  std::vector<std::string> flags_of_model() const {
    return preset == "qwen" ? std::vector<std::string>{"--any-tool"} : std::vector<std::string>{};
  }
};

inline constexpr AgentTools gemini_tools{
    .write = R"(call:write_file {"file_path":"%","content":"x"})",
    .change = R"(call:replace {"file_path":"{w}/a.txt","old_string":"one","new_string":"two","instruction":"i"})",
    .command = R"(call:run_shell_command {"command":"%","description":"d"})",
    .read = R"(call:read_file {"file_path":"%"})",
    .fetch = R"(call:web_fetch {"prompt":"Get % and quote it"})",
    .mcp = "call:mcp_near_test_simple_text {}"};
inline constexpr AgentTools qwen_tools{
    .write = R"(call:write_file {"file_path":"%","content":"x"})",
    .change = R"(call:edit {"file_path":"{w}/a.txt","old_string":"one","new_string":"two"})",
    .command = R"(call:run_shell_command {"command":"%","description":"d","is_background":false})",
    .read = R"(call:read_file {"file_path":"%"})",
    .fetch = R"(call:web_fetch {"url":"%","prompt":"p"})",
    .mcp = "call:mcp__near__test_simple_text {}"};
inline constexpr AgentTools copilot_tools{.write = R"(call:create {"path":"%","file_text":"x"})",
                                          .change = R"(call:edit {"path":"{w}/a.txt","old_str":"one","new_str":"two"})",
                                          .command = R"(call:bash {"command":"%","description":"d"})",
                                          .read = R"(call:view {"path":"%"})",
                                          .mcp = "call:near-test_simple_text {}"};
inline constexpr AgentTools opencode_tools{.write = R"(call:write {"filePath":"%","content":"x"})",
                                           .change = R"(call:edit {"filePath":"{w}/a.txt","oldString":"one","newString":"two"})",
                                           .command = R"(call:bash {"command":"%","description":"d"})",
                                           .read = R"(call:read {"filePath":"%"})",
                                           .fetch = R"(call:webfetch {"url":"%","format":"text"})",
                                           .mcp = "call:near_test_simple_text {}"};
inline constexpr AgentTools claude_tools{
    .write = R"(@mock tool {"name":"Write","input":{"file_path":"%","content":"x"}})",
    .change =
        "@mock tool {\"name\":\"Read\",\"input\":{\"file_path\":\"{w}/a.txt\"}}\n"
        "@mock tool {\"name\":\"Edit\",\"input\":{\"file_path\":\"{w}/a.txt\",\"old_string\":\"one\",\"new_string\":\"two\"}}",
    .command = R"(@mock tool {"name":"Bash","input":{"command":"%","description":"d"}})",
    .read = "@mock tool {\"name\":\"Read\",\"input\":{\"file_path\":\"%\"}}\n@mock echo",
    .mcp = "@mock tool {\"name\":\"mcp__near__test_simple_text\",\"input\":{}}\n@mock echo"};
inline constexpr AgentTools codex_tools{
    .write = R"(@mock custom {"name":"apply_patch","input":"*** Begin Patch\n*** Add File: %\n+x\n*** End Patch"})",
    .change =
        R"(@mock custom {"name":"apply_patch","input":"*** Begin Patch\n*** Update File: {w}/a.txt\n@@\n-one INSIDE\n+two\n*** End Patch"})",
    .command = R"(@mock tool {"name":"exec_command","args":{"cmd":"%"}})",
    .read = "@mock tool {\"name\":\"exec_command\",\"args\":{\"cmd\":\"cat %\"}}\n@mock echo",
    .mcp = "@mock tool {\"name\":\"test_simple_text\",\"namespace\":\"mcp__near\",\"args\":{}}\n@mock echo"};

inline constexpr std::array real_agents{
    RealAgent{"gemini", "gemini-cli", "@google/gemini-cli", "@google/gemini-cli/bundle/gemini.js", "mock-model", gemini_tools},
    RealAgent{"qwen", "qwen-code", "@qwen-code/qwen-code", "@qwen-code/qwen-code/cli.js", "mock-model", qwen_tools},
    RealAgent{"copilot", "copilot", "@github/copilot", "@github/copilot/npm-loader.js", "mock-model", copilot_tools, true},
    RealAgent{"codex-acp", "codex-acp", "@agentclientprotocol/codex-acp", "@agentclientprotocol/codex-acp/dist/index.js",
              "mock-responses", codex_tools},
    RealAgent{"opencode", "opencode", "opencode-linux-x64", "opencode-linux-x64/bin/opencode", "mock-model", opencode_tools},
    RealAgent{"claude-acp", "claude-agent-acp", "@agentclientprotocol/claude-agent-acp",
              "@agentclientprotocol/claude-agent-acp/dist/index.js", "mock-anthropic", claude_tools}};

inline std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::string replaced(std::string text, std::string_view name, std::string_view value) {
  for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += value.size())
    text.replace(at, name.size(), value);
  return text;
}

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
    const std::string program = peers_folder() + "/" + std::string(real.peer) + "/node_modules/" + std::string(real.file);
    settings.command.front() = program;
    if (program.ends_with(".js")) settings.command.insert(settings.command.begin(), PARLANCE_NODE);
    const std::string url = started_model(std::string(real.model), real.flags_of_model());
    const auto variables = variables_of(url);
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
  std::string version() const {
    const std::string path = peers_folder() + "/" + std::string(real.peer) + "/node_modules/" + std::string(real.package);
    const auto package = json::parse(content_of(path + "/package.json"));
    return package ? std::string(package->text_or("version", "")) : "";
  }
  std::string placed(std::string text) const {
    return replaced(replaced(std::move(text), "{w}", base + "/work"), "{out}", base + "/out");
  }

  RealAgent real{};

 private:
  using Variables = std::vector<std::pair<std::string, std::string>>;

  void home_file(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = base + "/home/" + name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  Variables variables_of(const std::string& url) const {
    if (real.preset == "gemini") {
      home_file(".gemini/settings.json", R"({"security":{"auth":{"selectedType":"gemini-api-key"}},)"
                                         R"("privacy":{"usageStatisticsEnabled":false},"general":{"enableAutoUpdate":false}})");
      return {{"GEMINI_API_KEY", "dummy"}, {"GOOGLE_GEMINI_BASE_URL", url}, {"GEMINI_CLI_TRUST_WORKSPACE", "true"}};
    }
    if (real.preset == "qwen") return {{"OPENAI_API_KEY", "dummy"}, {"OPENAI_BASE_URL", url + "/v1"}, {"OPENAI_MODEL", "mock"}};
    if (real.preset == "copilot")
      return {{"COPILOT_OFFLINE", "true"},
              {"COPILOT_PROVIDER_BASE_URL", url + "/v1"},
              {"COPILOT_MODEL", "mock"},
              {"COPILOT_PROVIDER_API_KEY", "dummy"}};
    if (real.preset == "codex-acp") {
      home_file(".codex/config.toml",
                "model = \"gpt-5.5\"\nmodel_provider = \"mock\"\n[model_providers.mock]\nname = \"mock\"\nbase_url = \"" + url +
                    "/v1\"\nwire_api = \"responses\"\nenv_key = \"MOCK_KEY\"\n");
      return {{"MOCK_KEY", "x"}, {"OPENAI_API_KEY", "x"}};
    }
    if (real.preset == "opencode") {
      home_file(
          ".config/opencode/opencode.json",
          R"({"model":"mock/mock","provider":{"mock":{"npm":"@ai-sdk/openai-compatible","name":"mock","options":{"baseURL":")" +
              url + R"(/v1","apiKey":"x"},"models":{"mock":{"name":"mock"}}}}})");
      return {{"OPENCODE_DISABLE_MODELS_FETCH", "1"}, {"OPENCODE_DISABLE_AUTOUPDATE", "1"}};
    }
    return {{"ANTHROPIC_BASE_URL", url}, {"ANTHROPIC_API_KEY", "dummy"}, {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"},
            {"DISABLE_TELEMETRY", "1"},  {"DISABLE_AUTOUPDATER", "1"},   {"DISABLE_ERROR_REPORTING", "1"}};
  }
};

}  // namespace parlance::test
