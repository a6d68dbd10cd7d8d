// SPDX-License-Identifier: Apache-2.0
// Command line and environment of Claude Code. Values; any thread (the environment is read at the start).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parlance/process/child_process.h"
#include "parlance/process/strays.h"

namespace parlance::claude {

struct Launch {
  std::vector<std::string> command{"claude"};  // The program and the words before the flags ("node", "…/cli.js").
  std::string folder{};                        // Working folder.
  FolderLinks folder_links = FolderLinks::followed;
  std::string mode{};        // Permission mode. Empty: the agent's own default.
  bool allow_bypass = true;  // Allows a later change to bypassPermissions.
  std::string model{};
  std::optional<int> max_turns{};
  std::string resume{};      // Session id.
  std::string resume_at{};   // The session up to the message of this uuid.
  std::string session_id{};  // Name of a new session.
  bool fork_session = false;
  bool partial_messages = true;
  bool replay_user_messages = false;
  std::string mcp_config{};  // JSON
  std::string settings{};    // JSON or a file.
  std::vector<std::string> setting_sources{};
  std::vector<std::string> allowed_tools{};
  std::vector<std::string> disallowed_tools{};
  std::vector<std::string> add_folders{};
  std::vector<std::string> more{};                                 // Further flags, unchanged.
  std::vector<std::pair<std::string, std::string>> environment{};  // In addition to the cleaned environment.
};

// Program and flags. Always with the three flags that enable the protocol, and the flag that makes it ask us.
std::vector<std::string> command_line(const Launch& launch);

// The same as settings of a child: the environment without variables of an outer Claude Code or its host, and the times of the
// stop. `mark`: a variable that identifies all its descendants (process/strays.h).
ChildSettings child_settings(const Launch& launch, const std::string& mark);

inline constexpr const char* mark_variable = child_mark_variable;

}  // namespace parlance::claude
