// SPDX-License-Identifier: Apache-2.0
// How Claude Code is started: its command line and environment. Values; any thread (the environment is read when it starts).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parlance/process/child_process.h"
#include "parlance/process/strays.h"

namespace parlance::claude {

struct Launch {
  std::vector<std::string> command{"claude"};  // program and what stands before the flags ("node", "…/cli.js")
  std::string folder{};                        // the working folder
  FolderLinks folder_links = FolderLinks::followed;
  std::string mode{};        // permission mode; empty: the agent's own default
  bool allow_bypass = true;  // a later switch to bypassPermissions shall be possible
  std::string model{};
  std::optional<int> max_turns{};
  std::string resume{};      // session id
  std::string resume_at{};   // no more of it than up to the message of this uuid
  std::string session_id{};  // name for a new session
  bool fork_session = false;
  bool partial_messages = true;
  bool replay_user_messages = false;
  std::string mcp_config{};  // JSON
  std::string settings{};    // JSON or a file
  std::vector<std::string> setting_sources{};
  std::vector<std::string> allowed_tools{};
  std::vector<std::string> disallowed_tools{};
  std::vector<std::string> add_folders{};
  std::vector<std::string> more{};                                 // further flags, as they are
  std::vector<std::pair<std::string, std::string>> environment{};  // on top of the scrubbed one
};

// Program and flags. Always the three without which it does not speak the protocol, and the one that makes it ask us.
std::vector<std::string> command_line(const Launch& launch);

// The same as settings of a child: environment without what an outer Claude Code, or its host, left there; the kill ladder's times.
// `mark`: a variable by which everything that it starts can be found again (process/strays.h).
ChildSettings child_settings(const Launch& launch, const std::string& mark);

inline constexpr const char* mark_variable = child_mark_variable;

}  // namespace parlance::claude
