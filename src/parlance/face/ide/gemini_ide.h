// SPDX-License-Identifier: Apache-2.0
// An editor for Gemini's CLI in the editor's terminal: an MCP server over HTTP on a local port, at /mcp, announced by a private
// file. Shows proposed changes, and sends open files and the person's decisions. Loop thread only; the editor must outlive the
// object.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "parlance/async/scope.h"
#include "parlance/face/ide/announcement.h"
#include "parlance/face/ide/gemini_messages.h"
#include "parlance/face/ide/proposals.h"
#include "parlance/protocol/mcp/http_endpoint.h"
#include "parlance/transport/http/http_server.h"

namespace parlance::face {

struct GeminiIdeSettings {
  std::string temporary_folder{};  // the system's
  std::string name = "editor";     // a word, for programs
  std::string title = "Editor";    // shown in /ide
  std::vector<std::string> folders{};
  std::int64_t editor_process = 0;  // the CLI looks for this process among its ancestors
  unsigned short port = 0;          // 0: any free port
  std::string version{};
  Duration calm = std::chrono::milliseconds(50);  // quiet time before an update
};

class GeminiIde {
 public:
  // Errors: of listening, and of writing the file.
  static Result<std::unique_ptr<GeminiIde>> listen(Loop& loop, hub::Editor& editor, GeminiIdeSettings settings);
  ~GeminiIde();  // removes the file, then closes connections

  unsigned short port() const { return http_->port(); }  // the content of GEMINI_CLI_IDE_SERVER_PORT
  const std::string& token() const { return token_; }
  const std::string& file() const { return file_.path(); }

  void context_changed();  // reads and sends the editor's new state

 private:
  GeminiIde(Loop& loop, hub::Editor& editor, GeminiIdeSettings settings);
  Result<void> open();
  void add_tools();
  Task<void> handle(HttpExchange& exchange);
  Task<void> show(std::string path, std::string content);
  mcp::CallToolResult close(const gemini_ide::CloseDiff& wanted);
  Task<void> send_context();
  Task<gemini_ide::ContextUpdate> context();

  Loop& loop_;
  hub::Editor& editor_;
  GeminiIdeSettings settings_;
  std::string token_;
  mcp::Server server_;
  ide::Proposals proposals_;
  std::map<std::string, std::string> shown_;  // proposed content by path
  bool sending_ = false;
  bool again_ = false;  // changed meanwhile
  std::unique_ptr<mcp::HttpEndpoint> endpoint_;
  std::unique_ptr<HttpServer> http_;
  Scope scope_;
  ide::Announcement file_;
};

}  // namespace parlance::face
