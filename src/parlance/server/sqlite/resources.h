// SPDX-License-Identifier: Apache-2.0
// Tables of databases as resources over MCP. The server lists the tables of known databases (named at the start, or opened
// since), and reads a table by its address (uri.h). Subscribers receive changes, and typed names are completed. Loop
// thread only; server and engine outlive this object.
#pragma once

#include <deque>
#include <string>

#include "parlance/protocol/mcp/server.h"
#include "parlance/server/sqlite/limits.h"
#include "parlance/server/sqlite/watch.h"
#include "parlance/sqlite/limits.h"

namespace parlance::server {

struct SqliteResourcesSettings {
  std::vector<std::string> databases{};  // known from the start
  std::uint64_t max_rows = limits::sqlite_rows;
  std::uint64_t preview_rows = limits::sqlite_preview_rows;  // of a read without a limit
  std::size_t max_bytes = limits::sqlite_result_bytes;
  std::chrono::milliseconds time = limits::sqlite_request_time;  // of an examination
  std::chrono::milliseconds watch_pause = limits::sqlite_watch_pause;
};

class SqliteResources {
 public:
  SqliteResources(mcp::Server& server, sqlite::Engine& engine, SqliteResourcesSettings settings);
  SqliteResources(const SqliteResources&) = delete;
  SqliteResources& operator=(const SqliteResources&) = delete;

  void opened(const std::string& path);   // a tool opened a database
  void written(const std::string& path);  // … and changed it

 private:
  using Contents = Result<std::vector<mcp::ResourceContents>>;
  void know(const std::string& resolved);
  Task<Result<std::vector<mcp::Resource>>> list(mcp::Request& request);
  Task<Contents> read_table(std::string uri, mcp::Request& request);
  Task<Contents> read_health(std::string uri, mcp::Request& request);
  Task<Result<mcp::GetPromptResult>> health_prompt(mcp::Variables arguments, mcp::Request& request);
  Task<Result<mcp::Completion>> complete(mcp::CompleteParams asked, mcp::Request& request);
  Task<std::vector<std::string>> table_names(std::string database);
  void subscription(const std::string& uri, bool wanted);

  mcp::Server& server_;
  sqlite::Engine& engine_;
  SqliteResourcesSettings settings_;
  std::deque<std::string> known_;  // the most recently opened is last
  SqliteWatch watch_;
};

}  // namespace parlance::server
