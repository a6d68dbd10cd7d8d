// SPDX-License-Identifier: Apache-2.0
// The MCP servers of a Claude Code host: servers run by the host (of `initialize`, reached by mcp_message), and servers of
// --mcp-config (programs and addresses). A ToolsViaMcp offers their tools to the conversation's agent, with Claude Code's names:
// mcp__SERVER__TOOL. Loop thread only.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/async/scope.h"
#include "parlance/codec/json/value.h"
#include "parlance/protocol/claude/agent.h"
#include "parlance/toolbox/mcp/tools_via_mcp.h"

namespace parlance::adapter {

struct ClaudeMcpConfig {
  std::string json{};                                 // the complete original text
  std::vector<std::string> of_host{};                 // names
  std::vector<toolbox::McpServerSettings> started{};  // by us, or connected to
  std::vector<std::string> not_understood{};          // names: of an unknown type
  bool has(std::string_view name) const;
};

// The contents of --mcp-config: JSON, or the path of a JSON file. Errors: not_found, invalid_params (with the location).
Result<ClaudeMcpConfig> read_claude_mcp_config(const std::string& json_or_path);

// Joins two such configurations; for a server in both, `theirs` wins. Either may be empty.
std::string joined_mcp_config(const std::string& ours, const std::string& theirs);

// Claude Code's names: hosts and their rules use these names.
std::string claude_tool_prefix(const std::string& server);

// Our configured servers in Claude Code's form, with a single HTTP transport for each: the discovered or configured transport.
std::string claude_mcp_config(const std::vector<toolbox::McpServerSettings>& servers);

// Adds `more` to `value`: members of objects one by one, lists appended.
json::Value joined(json::Value value, json::Value more);

class ClaudeMcpServers {
 public:
  // `tools` may be null: then the host receives a note that its servers are not called. `tools` outlives this object, and stops
  // using the host's servers with its end.
  ClaudeMcpServers(Loop& loop, claude::AgentSide& agent, toolbox::ToolsViaMcp* tools);
  ~ClaudeMcpServers();
  ClaudeMcpServers(const ClaudeMcpServers&) = delete;
  ClaudeMcpServers& operator=(const ClaudeMcpServers&) = delete;

  void add_of_host(const std::vector<std::string>& names);  // once each
  Result<void> receive(const claude::McpMessage& message);  // a message of such a server's own
  // Waits until each is connected or has failed, so that the first prompt finds their tools, at most for a while.
  Task<void> settled();
  json::Value status() const;  // in the form of system/init and mcp_status

 private:
  struct Pipe;
  struct End;
  Task<void> carry(std::shared_ptr<Pipe> pipe, std::string message);

  Loop& loop_;
  claude::AgentSide& agent_;
  toolbox::ToolsViaMcp* tools_;
  std::vector<std::shared_ptr<Pipe>> pipes_;
  Scope scope_;
};

}  // namespace parlance::adapter
