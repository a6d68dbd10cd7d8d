// SPDX-License-Identifier: Apache-2.0
// The state shared by all conversations with Claude Code: settings, hooks, and data from earlier processes. Loop thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parlance/async/loop.h"
#include "parlance/async/worker.h"
#include "parlance/driver/claude/choices.h"
#include "parlance/driver/claude/hooks.h"
#include "parlance/driver/claude/settings.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/protocol/claude/messages.h"

namespace parlance::driver {

struct ClaudeShared {
  ClaudeShared(Loop& l, ClaudeAgentSettings s) : loop(l), settings(std::move(s)), hooks(l, settings.hooks) {}
  hub::AgentInfo info() const {
    using hub::Mode;
    return {.id = settings.id,
            .name = settings.name,
            .state = gone ? hub::Health::down : hub::Health::ready,
            .detail = gone ? gone->message : settings.launch.command.front(),
            .modes = {Mode::default_, Mode::auto_edit, Mode::plan, Mode::smart, Mode::yolo},
            .models = settings.models,
            .keeps_sessions = true,
            .options = claude_options(),
            .commands = commands.empty() ? std::nullopt : std::optional(commands)};
  }
  void learn(const claude::Initialized& initialized) {
    std::vector<std::string> names;
    for (const claude::ModelInfo& model : initialized.models) names.push_back(model.value);
    if (names.empty()) names = settings.models;
    std::vector<hub::SlashCommand> known = claude_commands(initialized.commands);
    if (known.empty()) known = commands;
    if (names == settings.models && known == commands) return;
    settings.models = std::move(names);
    commands = std::move(known);
    if (settings.changed) settings.changed(info());
  }
  void recheck();  // checks the existence of the program
  // The worker for session files, created on first use.
  Worker& file_worker() {
    if (!files_) files_ = std::make_unique<Worker>(loop, "claude sessions");
    return *files_;
  }
  Loop& loop;
  ClaudeAgentSettings settings;
  ClaudeHooks hooks;
  std::vector<hub::SlashCommand> commands;
  std::optional<Error> gone;  // why the program is missing

 private:
  std::unique_ptr<Worker> files_;
};

}  // namespace parlance::driver
