// SPDX-License-Identifier: Apache-2.0
// The state shared by all conversations of an agent: its settings, and its options and commands from earlier sessions. Loop
// thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parlance/async/loop.h"
#include "parlance/driver/acp/settings.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/session_setup.h"

namespace parlance::driver {

struct AcpShared {
  AcpShared(Loop& l, AcpAgentSettings s) : loop(l), settings(std::move(s)) {}
  hub::AgentInfo info() const {
    using hub::Mode;
    hub::AgentInfo info{.id = settings.id,
                        .name = settings.name,
                        .detail = settings.command.empty() ? settings.url : settings.command.front(),
                        .modes = {Mode::default_, Mode::auto_edit, Mode::plan, Mode::smart, Mode::yolo},
                        .keeps_sessions = true};
    if (!found_as.empty()) info.detail = found_as;
    if (gone) {
      info.state = hub::Health::down;
      info.detail = gone->message;
    }
    if (!options.empty()) info.options = options;
    if (!commands.empty()) info.commands = commands;
    return info;
  }
  void learn(std::vector<hub::AgentOption> reported) {
    if (reported == options) return;
    options = std::move(reported);
    if (settings.changed) settings.changed(info());
  }
  void learn(const std::vector<hub::SlashCommand>& reported) {
    if (reported == commands) return;
    commands = reported;
    if (settings.changed) settings.changed(info());
  }

  // Updates the agent's state after a start.
  void learn_start(const Result<void>& opened);
  Task<void> recheck();  // AgentProvider's
  // Called before a prompt of this conversation. Returns the notice for the person, if any.
  std::optional<hub::event::Notice> write_settings(const hub::SessionSetup& setup) const;

  Loop& loop;
  AcpAgentSettings settings;
  std::optional<Error> gone;  // why the program is missing; absent: found, or not searched yet
  std::string found_as;       // description for people; empty: the command
  std::vector<hub::AgentOption> options;
  std::vector<hub::SlashCommand> commands;

 private:
  void learn_place(std::optional<Error> missing, std::string as = {});
};

// The agent of a conversation; the provider must outlive it.
std::unique_ptr<hub::Agent> acp_agent(std::shared_ptr<AcpShared> shared, const hub::SessionSetup& setup, hub::AgentHost host);

}  // namespace parlance::driver
