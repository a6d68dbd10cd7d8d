// SPDX-License-Identifier: Apache-2.0
// The settings of a hub: rules, limits, and callbacks. The hub calls the callbacks on its loop thread. Values; any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/base/clock.h"
#include "parlance/base/secret.h"
#include "parlance/hub/agent/history.h"
#include "parlance/hub/agent/workspace.h"
#include "parlance/hub/editor/editor.h"
#include "parlance/hub/log/runner_connection.h"
#include "parlance/hub/policy/policy.h"
#include "parlance/hub/team/team.h"

namespace parlance::hub {

struct SessionSetup;  // conversation/session_setup.h

struct HubSettings {
  std::vector<Rule> rules{};                          // from the configuration: tried before the store's rules, not revocable
  std::size_t history_bytes = default_history_bytes;  // Turn::history: the limit of an agent's history
  std::function<WallTime()> wall_clock = wall_now;    // for stored times and for days
  // Makes the workspace of an agent at `open` (toolbox/agent_workspace.h); empty: no workspace, and the agent's calls fail with
  // this reason.
  std::function<std::unique_ptr<Workspace>(WorkspaceHost& host)> workspace{};
  // The editor beside a conversation, or null; must outlive the hub. Called when the agent is opened.
  std::function<Editor*(const SessionSetup& setup)> editor{};
  // Adds agents installed since the start (Hub::add_agent), on request.
  std::function<Task<void>()> find_agents{};
  std::function<std::string(std::string_view prefix)> new_id = make_id;  // unique ids of all kinds; tests set counters
  // For runners, whose gateway decides: no rule and no mode allows an operation. The hub requests each operation, once each time.
  bool asks_everything = false;
  // Shared store: called after a runner connected or disconnected at any hub (Hub::Runners::connected).
  std::function<void(const std::vector<RunnerConnection>& runners)> runners_changed{};
  // Called after the removal of a conversation on that runner: its agent session is unused (Hub::Runners::unused_sessions).
  std::function<void(const std::string& runner)> session_unused{};
  // Users and tokens of a shared store: called at the start and after changes.
  std::function<void(const TeamPtr& team)> team_changed{};
  // The reader of the log also sees failures of turns elsewhere, so the hub logs no warning for them.
  bool failures_are_shown = false;
};

}  // namespace parlance::hub
