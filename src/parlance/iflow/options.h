// SPDX-License-Identifier: Apache-2.0
// The options of an iFlow client: the options of the SDK with its defaults, and our additions. Values.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/driver/iflow/installation.h"
#include "parlance/driver/iflow/limits.h"
#include "parlance/iflow/enums.h"
#include "parlance/iflow/limits.h"
#include "parlance/transport/frames.h"

namespace parlance::iflow {

using McpServer = acp::McpServer;
using AuthMethodInfo = acp::AuthMethodInfo;
using SessionSettings = acp::IflowSettings;

struct HookCommand {
  std::string command{};
  std::optional<int> timeout_s{};
};
struct HookConfig {
  std::optional<std::string> matcher{};
  std::vector<HookCommand> hooks{};
};
using HookConfigs = std::map<HookEventType, std::vector<HookConfig>>;

struct CommandConfig {
  std::string name{};
  std::string content{};
};

struct SubAgentConfig {
  std::string agent_type{};
  std::string when_to_use{};
  std::vector<std::string> allowed_tools{};
  std::string system_prompt{};
  std::optional<std::string> name{};
  std::optional<std::string> description{};
  std::optional<std::vector<std::string>> allowed_mcps{};
  std::optional<bool> proactive{};
  std::optional<std::string> location{};  // global, project
  std::optional<std::string> model{};
  std::optional<bool> inherits_tools{};
  std::optional<bool> inherits_mcps{};
};

// In place of process and socket: asked at each `connect`.
using TransportFactory = std::function<Task<Result<std::unique_ptr<Frames>>>()>;

struct Options {
  std::string url = "ws://localhost:8090/acp";
  std::string cwd{};                                          // empty: the folder of this process
  std::chrono::milliseconds timeout = limits::iflow_timeout;  // of a connection, and of each request but a prompt
  LogLevel log_level = LogLevel::info;

  bool file_access = false;  // the agent may ask us for files
  bool file_read_only = false;
  std::size_t file_max_size = limits::iflow_file_bytes;
  std::vector<std::string> file_allowed_dirs{};  // empty: `cwd`

  PermissionMode permission_mode = PermissionMode::automatic;
  std::vector<std::string> auto_approve_types{"read", "fetch", "list"};  // of the mode `selective`: kinds or types

  std::string auth_method_id = "iflow";
  std::optional<AuthMethodInfo> auth_method_info{};

  bool auto_start_process = true;  // if `url` is of this machine without a listener
  unsigned short process_start_port = limits::iflow_port;

  std::optional<SessionSettings> session_settings{};
  std::vector<McpServer> mcp_servers{};
  HookConfigs hooks{};
  std::vector<CommandConfig> commands{};
  std::vector<SubAgentConfig> agents{};
  std::map<std::string, std::string> metadata{};  // of the calling program; never sent

  // ---- ours
  std::string node_path{};  // the Node for iFlow; empty: found automatically
  // The found installation, shared by several clients; null: each client searches.
  std::shared_ptr<driver::IflowInstallation> installation{};
  std::chrono::milliseconds question_timeout = limits::iflow_question_patience;
  TransportFactory transport{};
  bool waits_for_ready = true;  // iFlow sends //ready first; without //ready, the client continues anyway
};

// The wire form; empty if absent.
acp::Raw hooks_json(const HookConfigs& hooks);
acp::Raw commands_json(const std::vector<CommandConfig>& commands);
acp::Raw agents_json(const std::vector<SubAgentConfig>& agents);

// Checks for impossible options. Error: ErrorKind::validation.
Result<void> check(const Options& options);
// The folder, absolute.
std::string folder_of(const Options& options);

}  // namespace parlance::iflow
