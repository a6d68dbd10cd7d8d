// SPDX-License-Identifier: Apache-2.0
// The agents of the play list: each program with the name of its launcher, and the words that make its scripted model act.
#pragma once

#include <array>
#include <string>

#include "tests/peers/agent_programs.h"

namespace parlance::test {

struct Player {
  std::string_view name;      // heading in docs/agents.md
  std::string_view launcher;  // command on PATH; empty: the built-in agent
  RealAgent real;
  std::string_view words_of_launcher = "";  // further words of its command line
};

inline constexpr AgentTools own_tools{
    .write = R"(call:write_file {"path":"%","content":"x"})",
    .change = R"(call:edit_file {"path":"{w}/a.txt","old_text":"one","new_text":"two"})",
    .command = R"(call:run_command {"command":"%"})",
    .read = R"(call:read_file {"path":"%"})",
    .mcp = "call:near__test_simple_text {}",
    .tasks = R"(call:update_plan {"entries":[{"content":"read","status":"in_progress"},{"content":"write"}]})",
    .question =
        R"(call:ask_user {"questions":[{"header":"Colour","question":"Which one?","options":[{"label":"Red"},{"label":"Blue"}]}]})",
    .leave_plan = R"(call:propose_plan {"plan":"# The plan"})"};

// The sandbox of Codex refuses changes by commands. A model requests more with `sandbox_permissions`.
constexpr AgentTools codex_tools_beyond_its_sandbox() {
  AgentTools tools = codex_tools;
  tools.command =
      R"(@mock tool {"name":"exec_command","args":{"cmd":"%","sandbox_permissions":"require_escalated","justification":"j"}})";
  return tools;
}

constexpr RealAgent real_agent(std::string_view preset) {
  for (const RealAgent& real : real_agents)
    if (real.preset == preset) return real;
  return {};
}
constexpr RealAgent codex() {
  RealAgent real = real_agent("codex-acp");
  real.tools = codex_tools_beyond_its_sandbox();
  return real;
}

inline constexpr Player own_agent{"parlance", "", {.preset = "parlance", .model = "mock-model", .tools = own_tools}};

inline constexpr std::array other_agents{
    Player{"Claude Code", "claude",
           RealAgent{"claude", "claude-cli-new", "@anthropic-ai/claude-code", "@anthropic-ai/claude-code-linux-x64/claude",
                     "mock-anthropic", claude_tools}},
    Player{"Gemini CLI", "gemini", real_agent("gemini")},
    Player{"OpenCode", "opencode", real_agent("opencode")},
    Player{"Qwen Code", "qwen", real_agent("qwen"), "--auth-type openai"},
    Player{"Codex (ACP)", "codex-acp", codex()},
    Player{"Claude Agent (ACP)", "claude-agent-acp", real_agent("claude-acp")},
    Player{"GitHub Copilot CLI", "copilot", real_agent("copilot")}};

}  // namespace parlance::test
