// SPDX-License-Identifier: Apache-2.0
// An MCP server of ours for Claude Code, reached through its host over the existing connection. There is no listener and no
// access for other programs, and Claude Code needs neither an address nor a secret. One for each process of Claude Code. Loop
// thread only.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "parlance/async/scope.h"
#include "parlance/protocol/claude/messages.h"
#include "parlance/protocol/mcp/server.h"
#include "parlance/transport/message_frames.h"

namespace parlance::adapter {

class ClaudeOwnServer {
 public:
  explicit ClaudeOwnServer(std::unique_ptr<mcp::Server> server);
  ~ClaudeOwnServer() { scope_.cancel(); }
  ClaudeOwnServer(const ClaudeOwnServer&) = delete;
  ClaudeOwnServer& operator=(const ClaudeOwnServer&) = delete;

  // The server's answer to a message; for a notice, the usual answer of hosts. Errors: an invalid MCP message; a failed server.
  Task<Result<claude::McpReply>> answer(claude::McpMessage message);

 private:
  struct Asked;
  Task<void> serve(std::unique_ptr<Frames> frames);
  void take_answer(const std::string& frame);

  std::unique_ptr<mcp::Server> server_;
  std::map<std::string, Asked*, std::less<>> asked_;  // by id in its JSON form; requests without an answer of the server
  Signal answered_;
  MessageFrames* frames_;       // of the server
  std::optional<Error> ended_;  // set after the server's end
  Scope scope_;
};

// The servers of a process, by their names in Claude Code.
using ClaudeOwnServers = std::map<std::string, std::unique_ptr<ClaudeOwnServer>, std::less<>>;

}  // namespace parlance::adapter
