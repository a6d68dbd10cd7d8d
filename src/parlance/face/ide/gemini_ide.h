// SPDX-License-Identifier: Apache-2.0
// An editor as Gemini's CLI finds it when it is started in the editor's terminal: an MCP server over HTTP on a port of this machine, at /mcp,
// announced by a file that only this user reads. It shows changes, and tells what is open and what the person decided.
// Loop thread only; the editor outlives it.
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
  std::string temporary_folder{};  // of the system
  std::string name = "editor";     // a word, for programs
  std::string title = "Editor";    // what a person sees in /ide
  std::vector<std::string> folders{};
  std::int64_t editor_process = 0;  // the CLI looks for it among those that it was started by
  unsigned short port = 0;          // 0: any that is free
  std::string version{};
  Duration calm = std::chrono::milliseconds(50);  // so long nothing changes before it is told
};

class GeminiIde {
 public:
  // Errors: of listening, and of writing the file.
  static Result<std::unique_ptr<GeminiIde>> listen(Loop& loop, hub::Editor& editor, GeminiIdeSettings settings);
  ~GeminiIde();  // the file goes, then the connections

  unsigned short port() const { return http_->port(); }  // the content of GEMINI_CLI_IDE_SERVER_PORT
  const std::string& token() const { return token_; }
  const std::string& file() const { return file_.path(); }

  void context_changed();  // the editor is asked what is so now

 private:
  GeminiIde(Loop& loop, hub::Editor& editor, GeminiIdeSettings settings);
  Result<void> open();
  void add_tools();
  Task<void> handle(HttpExchange& exchange);
  Task<void> show(std::string path, std::string content);
  mcp::CallToolResult close(const gemini_ide::CloseDiff& wanted);
  Task<void> tell_context();
  Task<gemini_ide::ContextUpdate> context();

  Loop& loop_;
  hub::Editor& editor_;
  GeminiIdeSettings settings_;
  std::string token_;
  mcp::Server server_;
  ide::Proposals proposals_;
  std::map<std::string, std::string> shown_;  // what was proposed, by path
  bool telling_ = false;
  bool again_ = false;  // it changed meanwhile
  std::unique_ptr<mcp::HttpEndpoint> endpoint_;
  std::unique_ptr<HttpServer> http_;
  Scope scope_;
  ide::Announcement file_;
};

}  // namespace parlance::face
