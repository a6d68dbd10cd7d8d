// SPDX-License-Identifier: Apache-2.0
// The real programs of the presets with scripted models: their start, and their tools in words of the model.
#pragma once

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parlance/codec/json/value.h"
#include "tests/peers/peers_folder.h"

namespace parlance::test {

// `%` in a pattern is a path, a command or an address.
struct AgentTools {
  std::string_view write{};   // writes "x" into a file
  std::string_view change{};  // replaces "one" in a.txt of the folder
  std::string_view command{};
  std::string_view read{};
  std::string_view fetch{};       // empty: no tool for pages
  std::string_view mcp{};         // test_simple_text of the server "near"
  std::string_view tasks{};       // tells two tasks, "read" and "write"
  std::string_view question{};    // "Which one?", with the choices Red and Blue, and quotes the answer
  std::string_view leave_plan{};  // asks for approval of a plan
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
    .mcp = "call:mcp_near_test_simple_text {}",
    .tasks =
        R"(call:write_todos {"todos":[{"description":"read","status":"in_progress"},{"description":"write","status":"pending"}]})",
    .question =
        R"(call:ask_user {"questions":[{"question":"Which one?","header":"Colour","type":"choice","multiSelect":false,"options":[{"label":"Red","description":"r"},{"label":"Blue","description":"b"}]}]})",
    .leave_plan = R"(call:exit_plan_mode {"plan_filename":"plan.md"})"};
inline constexpr AgentTools qwen_tools{
    .write = R"(call:write_file {"file_path":"%","content":"x"})",
    .change = R"(call:edit {"file_path":"{w}/a.txt","old_string":"one","new_string":"two"})",
    .command = R"(call:run_shell_command {"command":"%","description":"d","is_background":false})",
    .read = R"(call:read_file {"file_path":"%"})",
    .fetch = R"(call:web_fetch {"url":"%","prompt":"p"})",
    .mcp = "call:mcp__near__test_simple_text {}",
    .tasks =
        R"(call:todo_write {"todos":[{"id":"1","content":"read","status":"in_progress"},{"id":"2","content":"write","status":"pending"}]})",
    .question =
        R"(call:ask_user_question {"questions":[{"question":"Which one?","header":"Colour","multiSelect":false,"options":[{"label":"Red","description":"r"},{"label":"Blue","description":"b"}]}]})",
    .leave_plan = R"(call:exit_plan_mode {"plan":"# The plan"})"};
inline constexpr AgentTools copilot_tools{
    .write = R"(call:create {"path":"%","file_text":"x"})",
    .change = R"(call:edit {"path":"{w}/a.txt","old_str":"one","new_str":"two"})",
    .command = R"(call:bash {"command":"%","description":"d"})",
    .read = R"(call:view {"path":"%"})",
    .mcp = "call:near-test_simple_text {}",
    .tasks =
        R"x(call:sql {"description":"Plan","query":"INSERT INTO todos (id, title, status) VALUES ('a','read','in_progress'), ('b','write','pending')"})x",
    .question = R"(call:ask_user {"question":"Which one?","choices":["Red","Blue"]})",
    .leave_plan = R"(call:exit_plan_mode {"summary":"# The plan"})"};
inline constexpr AgentTools opencode_tools{
    .write = R"(call:write {"filePath":"%","content":"x"})",
    .change = R"(call:edit {"filePath":"{w}/a.txt","oldString":"one","newString":"two"})",
    .command = R"(call:bash {"command":"%","description":"d"})",
    .read = R"(call:read {"filePath":"%"})",
    .fetch = R"(call:webfetch {"url":"%","format":"text"})",
    .mcp = "call:near_test_simple_text {}",
    .tasks =
        R"(call:todowrite {"todos":[{"content":"read","status":"in_progress","priority":"high"},{"content":"write","status":"pending","priority":"low"}]})",
    .question =
        R"(call:question {"questions":[{"question":"Which one?","header":"Colour","options":[{"label":"Red","description":"r"},{"label":"Blue","description":"b"}]}]})",
    .leave_plan = R"(call:plan_exit {})"};
inline constexpr AgentTools claude_tools{
    .write = R"(@mock tool {"name":"Write","input":{"file_path":"%","content":"x"}})",
    .change =
        "@mock tool {\"name\":\"Read\",\"input\":{\"file_path\":\"{w}/a.txt\"}}\n"
        "@mock tool {\"name\":\"Edit\",\"input\":{\"file_path\":\"{w}/a.txt\",\"old_string\":\"one\",\"new_string\":\"two\"}}",
    .command = R"(@mock tool {"name":"Bash","input":{"command":"%","description":"d"}})",
    .read = "@mock tool {\"name\":\"Read\",\"input\":{\"file_path\":\"%\"}}\n@mock echo",
    .mcp = "@mock tool {\"name\":\"mcp__near__test_simple_text\",\"input\":{}}\n@mock echo",
    .tasks =
        "@mock tool {\"name\":\"TodoWrite\",\"input\":{\"todos\":[{\"content\":\"read\",\"status\":\"in_progress\",\"activeForm\":\"reading\"},{\"content\":\"write\",\"status\":\"pending\",\"activeForm\":\"writing\"}]}}",
    .question =
        "@mock tool {\"name\":\"AskUserQuestion\",\"input\":{\"questions\":[{\"question\":\"Which one?\",\"header\":\"Colour\",\"multiSelect\":false,\"options\":[{\"label\":\"Red\",\"description\":\"r\"},{\"label\":\"Blue\",\"description\":\"b\"}]}]}}\n@mock echo",
    .leave_plan = "@mock tool {\"name\":\"ExitPlanMode\",\"input\":{\"plan\":\"# The plan\"}}"};
inline constexpr AgentTools codex_tools{
    .write = R"(@mock custom {"name":"apply_patch","input":"*** Begin Patch\n*** Add File: %\n+x\n*** End Patch"})",
    .change =
        R"(@mock custom {"name":"apply_patch","input":"*** Begin Patch\n*** Update File: {w}/a.txt\n@@\n-one INSIDE\n+two\n*** End Patch"})",
    .command = R"(@mock tool {"name":"exec_command","args":{"cmd":"%"}})",
    .read = "@mock tool {\"name\":\"exec_command\",\"args\":{\"cmd\":\"cat %\"}}\n@mock echo",
    .mcp = "@mock tool {\"name\":\"test_simple_text\",\"namespace\":\"mcp__near\",\"args\":{}}\n@mock echo",
    .tasks =
        "@mock tool {\"name\":\"update_plan\",\"args\":{\"plan\":[{\"step\":\"read\",\"status\":\"in_progress\"},{\"step\":\"write\",\"status\":\"pending\"}]}}\n@mock echo",
    .question =
        "@mock tool {\"name\":\"request_user_input\",\"args\":{\"questions\":[{\"id\":\"q\",\"question\":\"Which one?\",\"header\":\"Colour\",\"options\":[{\"label\":\"Red\",\"description\":\"r\"},{\"label\":\"Blue\",\"description\":\"b\"}]}]}}\n@mock echo",
    .leave_plan = ""};

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

inline std::string in_packages(const RealAgent& real, std::string_view file) {
  return peers_folder() + "/" + std::string(real.peer) + "/node_modules/" + std::string(file);
}
inline std::string version_of(const RealAgent& real) {
  const auto package = json::parse(content_of(in_packages(real, real.package) + "/package.json"));
  return package ? std::string(package->text_or("version", "")) : "";
}

using Variables = std::vector<std::pair<std::string, std::string>>;

inline void home_file(const std::string& home, const std::string& name, const std::string& text) {
  const std::filesystem::path path = home + "/" + name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
}
// Writes the configuration of the agent into `home`; returns its variables. The model listens at `url`.
inline Variables prepared_agent(const RealAgent& real, const std::string& url, const std::string& home) {
  if (real.preset == "gemini") {
    home_file(home, ".gemini/settings.json",
              R"({"security":{"auth":{"selectedType":"gemini-api-key"}},)"
              R"("privacy":{"usageStatisticsEnabled":false},"general":{"enableAutoUpdate":false}})");
    return {{"GEMINI_API_KEY", "dummy"}, {"GOOGLE_GEMINI_BASE_URL", url}, {"GEMINI_CLI_TRUST_WORKSPACE", "true"}};
  }
  if (real.preset == "qwen") {
    // The tool for tasks is off by default. An unknown model sees no pictures.
    const std::string place = R"(","envKey":"OPENAI_API_KEY","baseUrl":")" + url + R"(/v1")";
    home_file(home, ".qwen/settings.json",
              R"({"tools":{"todoWrite":{"enabled":true}},"modelProviders":{"openai":[{"id":"mock","name":"mock)" + place +
                  R"(,"generationConfig":{"modalities":{"image":true}}},{"id":"other","name":"other)" + place + "}]}}");
    return {{"OPENAI_API_KEY", "dummy"}, {"OPENAI_BASE_URL", url + "/v1"}, {"OPENAI_MODEL", "mock"}};
  }
  if (real.preset == "copilot")
    return {{"COPILOT_OFFLINE", "true"},
            {"COPILOT_PROVIDER_BASE_URL", url + "/v1"},
            {"COPILOT_MODEL", "mock"},
            {"COPILOT_PROVIDER_API_KEY", "dummy"}};
  if (real.preset == "codex-acp") {
    home_file(home, ".codex/config.toml",
              "model = \"gpt-5.5\"\nmodel_provider = \"mock\"\n[model_providers.mock]\nname = \"mock\"\nbase_url = \"" + url +
                  "/v1\"\nwire_api = \"responses\"\nenv_key = \"MOCK_KEY\"\n");
    return {{"MOCK_KEY", "x"}, {"OPENAI_API_KEY", "x"}};
  }
  if (real.preset == "opencode") {
    home_file(
        home, ".config/opencode/opencode.json",
        R"({"model":"mock/mock","provider":{"mock":{"npm":"@ai-sdk/openai-compatible","name":"mock","options":{"baseURL":")" +
            url +
            R"(/v1","apiKey":"x"},"models":{"mock":{"name":"mock","attachment":true,"modalities":{"input":["text","image"],"output":["text"]}},"other":{"name":"other"}}}}})");
    return {{"OPENCODE_DISABLE_MODELS_FETCH", "1"}, {"OPENCODE_DISABLE_AUTOUPDATE", "1"}};
  }
  return {{"ANTHROPIC_BASE_URL", url}, {"ANTHROPIC_API_KEY", "dummy"}, {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"},
          {"DISABLE_TELEMETRY", "1"},  {"DISABLE_AUTOUPDATER", "1"},   {"DISABLE_ERROR_REPORTING", "1"}};
}
}  // namespace parlance::test
