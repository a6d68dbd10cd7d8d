// SPDX-License-Identifier: Apache-2.0
// An editor as Claude Code's CLI finds it when it is started in the editor's terminal: an MCP server over WebSocket on a port of this machine,
// announced by a file that only this user reads. It has the twelve tools, and tells what is selected and what the person mentions.
// Loop thread only; the editor outlives it.
//
// Whoever connects shows the token of that file in a header. A browser, which says for which page it comes, is refused.
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
  std::string config_folder{};  // of Claude Code: ~/.claude
  std::string name = "Editor";  // what a person sees in /ide
  std::vector<std::string> folders{};
  std::int64_t editor_process = 0;  // the CLI looks for it among those that it was started by
  std::string version{};
  unsigned short port = 0;  // 0: any that is free
};

class ClaudeIde {
 public:
  // Errors: of listening, and of writing the file.
  static Result<std::unique_ptr<ClaudeIde>> listen(Loop& loop, hub::Editor& editor, ClaudeIdeSettings settings);
  ~ClaudeIde();  // the file goes, then the connections

  unsigned short port() const { return http_->port(); }  // the content of CLAUDE_CODE_SSE_PORT
  const std::string& token() const { return token_; }
  const std::string& lock_file() const { return lock_.path(); }

  void context_changed();  // another file, or another selection: the editor is asked which
  // Lines from 1, the last one with it.
  void mentioned(std::string path, std::optional<std::uint32_t> first, std::optional<std::uint32_t> last);

 private:
  ClaudeIde(Loop& loop, hub::Editor& editor, ClaudeIdeSettings settings);
  Result<void> open();
  Task<void> handle(HttpExchange& exchange);
  Task<void> serve(std::unique_ptr<Frames> frames);
  Task<void> tell_selection();
  int refusal(const ServerRequest& request) const;  // an HTTP status; 0: it may be here

  hub::Editor& editor_;
  ClaudeIdeSettings settings_;
  Loop& loop_;
  std::string token_;
  mcp::Server server_;
  claude_ide::ClaudeTools tools_;
  bool telling_ = false;
  bool again_ = false;  // it changed meanwhile
  std::unique_ptr<HttpServer> http_;
  Scope scope_;
  ide::Announcement lock_;
};

}  // namespace parlance::face
