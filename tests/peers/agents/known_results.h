// SPDX-License-Identifier: Apache-2.0
// The expected deviations of the play list, with the words for docs/agents.md.
#pragma once

#include <array>
#include <string_view>

namespace parlance::test {

struct KnownResult {
  std::string_view agent;
  std::string_view step;
  std::string_view seen;  // beginning of the observation; "*": the result varies
  std::string_view cell;  // differs, none or agent's fault
  std::string_view words;
};

inline constexpr std::array known_results{
    KnownResult{"parlance", "model", "offers 0 models", "none", "The settings of the gateway select the model (`--model-name`)."},
    KnownResult{"parlance", "session list", "not listed", "none", "The gateway keeps the sessions of its own agent itself."},
    KnownResult{"Gemini CLI", "task list", "no tool", "none", "Only models before Gemini 3 have the tool for tasks."},
    KnownResult{"Gemini CLI", "question", "no tool", "none", "Gemini CLI offers no tool for questions over ACP."},
    KnownResult{"Gemini CLI", "plan", "not asked: Calling exit_plan_mode", "differs",
                "Gemini CLI requests approval under the kind `other`, and mode plan refuses such calls without a question."},
    KnownResult{"Gemini CLI", "resume after a kill", "*", "agent's fault",
                "A killed Gemini CLI sometimes does not find its session."},
    KnownResult{"Gemini CLI", "session list", "not listed", "none", "Gemini CLI does not offer a list."},
    KnownResult{"Codex (ACP)", "task list", "no tool", "none", "Codex offers no such tool to this model."},
    KnownResult{"Codex (ACP)", "question", "not asked", "none",
                "Codex asks questions in its own mode for plans only. parlance keeps Codex in the mode `read-only`."},
    KnownResult{"Codex (ACP)", "plan", "no tool", "none", "Codex requests no approval of plans."},
    KnownResult{"Claude Agent (ACP)", "plan", "not asked: done", "differs",
                "The agent plans in its mode `default`, where it hands in no plan. The plan is in its answer."},
    KnownResult{"GitHub Copilot CLI", "task list", "another task list", "agent's fault", "The list has no entries."},
    KnownResult{"GitHub Copilot CLI", "question", "no tool", "none", "Copilot offers no tool for questions over ACP."},
    KnownResult{"GitHub Copilot CLI", "model", "offers 0 models", "none",
                "A provider of your own has one model (`COPILOT_MODEL`)."},
    KnownResult{"GitHub Copilot CLI", "plan", "no tool", "none", "Copilot requests no approval of plans."},
    KnownResult{"OpenCode", "task list", "no task list: Calling todowrite", "differs",
                "The list is the output of the tool `todowrite`. OpenCode does not send it as a list."},
    KnownResult{"OpenCode", "question", "no tool", "none", "OpenCode offers no tool for questions over ACP."},
    KnownResult{"OpenCode", "plan", "no tool", "none", "OpenCode requests no approval of plans."}};

// Null: the observation is not known.
inline const KnownResult* known_result(std::string_view agent, std::string_view step, std::string_view seen) {
  for (const KnownResult& known : known_results)
    if (known.agent == agent && known.step == step && (known.seen == "*" || (!seen.empty() && seen.starts_with(known.seen))))
      return &known;
  return nullptr;
}

}  // namespace parlance::test
