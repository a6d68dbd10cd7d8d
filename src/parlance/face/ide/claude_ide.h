// SPDX-License-Identifier: Apache-2.0
// An editor for Claude Code's CLI in the editor's terminal: an MCP server over WebSocket on a local port, announced by a private
// file. Serves the twelve tools, and sends selections and mentions. Loop thread only; the editor must outlive the object.
//
// A connection needs the file's token in a header. Requests of browsers (with Origin) are refused.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parlance/async/scope.h"
#include "parlance/face/ide/announcement.h"
#include "parlance/face/ide/claude_tools.h"
#include "parlance/transport/http/http_server.h"

namespace parlance::face {

struct ClaudeIdeSettings {
  std::string config_folder{};  // Claude Code's configuration: ~/.claude
  std::string name = "Editor";  // shown in /ide
  std::vector<std::string> folders{};
  std::int64_t editor_process = 0;  // the CLI looks for this process among its ancestors
  std::string version{};
  unsigned short port = 0;  // 0: any free port
};

class ClaudeIde {
 public:
  // Errors: of listening, and of writing the file.
  static Result<std::unique_ptr<ClaudeIde>> listen(Loop& loop, hub::Editor& editor, ClaudeIdeSettings settings);
  ~ClaudeIde();  // removes the file, then closes connections

  unsigned short port() const { return http_->port(); }  // the content of CLAUDE_CODE_SSE_PORT
  const std::string& token() const { return token_; }
  const std::string& lock_file() const { return lock_.path(); }

  void context_changed();  // reads and sends the editor's new selection
  // Lines count from 1, `last` is inclusive.
  void mentioned(std::string path, std::optional<std::uint32_t> first, std::optional<std::uint32_t> last);

 private:
  ClaudeIde(Loop& loop, hub::Editor& editor, ClaudeIdeSettings settings);
  Result<void> open();
  Task<void> handle(HttpExchange& exchange);
  Task<void> serve(std::unique_ptr<Frames> frames);
  Task<void> send_selection();
  int refusal(const ServerRequest& request) const;  // an HTTP status; 0: accepted

  hub::Editor& editor_;
  ClaudeIdeSettings settings_;
  Loop& loop_;
  std::string token_;
  mcp::Server server_;
  claude_ide::ClaudeTools tools_;
  bool sending_ = false;
  bool again_ = false;  // changed meanwhile
  std::unique_ptr<HttpServer> http_;
  Scope scope_;
  ide::Announcement lock_;
};

}  // namespace parlance::face
