// SPDX-License-Identifier: Apache-2.0
// An MCP server of ours that a Claude Code reaches through us, its host, over the connection that the two have anyway: nothing listens
// for it, no other program can come to it, and Claude Code is given neither an address nor a secret. One for each process of Claude Code.
// Loop thread only.
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

  // One message, and what the server says to it; to a notice what hosts answer to those. Errors: it is no message of MCP; the server has given up.
  Task<Result<claude::McpReply>> answer(claude::McpMessage message);

 private:
  struct Asked;
  Task<void> serve(std::unique_ptr<Frames> frames);
  void told(const std::string& frame);

  std::unique_ptr<mcp::Server> server_;
  std::map<std::string, Asked*, std::less<>> asked_;  // by id, as it is written; what its server has not answered
  Signal answered_;
  MessageFrames* frames_;       // that it serves
  std::optional<Error> ended_;  // it serves them no more
  Scope scope_;
};

// Those of one process, by the names that Claude Code knows them by.
using ClaudeOwnServers = std::map<std::string, std::unique_ptr<ClaudeOwnServer>, std::less<>>;

}  // namespace parlance::adapter
