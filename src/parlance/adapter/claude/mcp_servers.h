// SPDX-License-Identifier: Apache-2.0
// MCP servers that a host of Claude Code brings along: those that it runs itself (of `initialize`, reached by mcp_message), and those
// of --mcp-config (programs and addresses). They are handed to a ToolsViaMcp, so that the agent of the conversation is offered their
// tools, under the names that Claude Code would give them: mcp__SERVER__TOOL. Loop thread only.
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
  std::string json{};                                 // all of it, as it was
  std::vector<std::string> of_host{};                 // names
  std::vector<toolbox::McpServerSettings> started{};  // by us, or connected to
  std::vector<std::string> not_understood{};          // names: of a type that is none of ours
  bool has(std::string_view name) const;
};

// What --mcp-config says: JSON, or the path of a file with it. Errors: not_found, invalid_params (with the place).
Result<ClaudeMcpConfig> read_claude_mcp_config(const std::string& json_or_path);

// Two such configurations in one; where both name a server, `theirs` holds. Either may be empty.
std::string joined_mcp_config(const std::string& ours, const std::string& theirs);

// The names of Claude Code: hosts and their rules know the tools by them.
std::string claude_tool_prefix(const std::string& server);

// Servers of our configuration as Claude Code reads them. It has one way over HTTP for each: that which was found, or said.
std::string claude_mcp_config(const std::vector<toolbox::McpServerSettings>& servers);

// `more` put into `value`: members of objects one by one, lists behind each other.
json::Value joined(json::Value value, json::Value more);

class ClaudeMcpServers {
 public:
  // `tools` may be null: then the host is told that its servers are not called. It outlives this, and is not asked for the servers
  // of the host after this has ended: they end with it.
  ClaudeMcpServers(Loop& loop, claude::AgentSide& agent, toolbox::ToolsViaMcp* tools);
  ~ClaudeMcpServers();
  ClaudeMcpServers(const ClaudeMcpServers&) = delete;
  ClaudeMcpServers& operator=(const ClaudeMcpServers&) = delete;

  void add_of_host(const std::vector<std::string>& names);  // once each
  Result<void> receive(const claude::McpMessage& message);  // a message of such a server's own
  // Until each is connected or has failed, so that the first prompt finds their tools, or a while is over.
  Task<void> settled();
  json::Value status() const;  // as system/init and mcp_status tell it

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
