// SPDX-License-Identifier: Apache-2.0
// Databases over MCP (`sqlite-helper --mcp`): the tools read_query, write_query, get_schema, apply_preview, undo_writes and
// take_snapshot. Also tables as resources, and the examination of a database (resources.h). One instance for each server,
// for any number of clients: a client may undo another client's write. Loop thread only; server, engine and audit outlive this
// object.
#pragma once

#include <string>

#include "parlance/protocol/mcp/server.h"
#include "parlance/server/sqlite/audit.h"
#include "parlance/server/sqlite/mcp_messages.h"
#include "parlance/server/sqlite/resources.h"
#include "parlance/server/sqlite/rows.h"

namespace parlance::server {

struct SqliteMcpSettings {
  SqliteResourcesSettings resources{};
  SqliteAudit* audit = nullptr;
  // A person approves each write, through the client (elicitation). A client without elicitation cannot write.
  bool confirm_writes = false;
};

class SqliteOverMcp {
 public:
  SqliteOverMcp(mcp::Server& server, sqlite::Engine& engine, SqliteMcpSettings settings);

  static std::string instructions(bool read_only);  // for the model behind the client

 private:
  using Called = Task<Result<mcp::CallToolResult>>;
  void add_reading(mcp::Server& server);
  void add_writing(mcp::Server& server);
  Called read_query(ReadQueryArguments asked, mcp::Request& request);
  Called get_schema(GetSchemaArguments asked, mcp::Request& request);
  Called write_query(WriteQueryArguments asked, mcp::Request& request);
  Called preview(const WriteQueryArguments& asked, sqlite::WriteRequest write, sqlite::Ticket ticket);
  Called apply_preview(ApplyPreviewArguments asked, mcp::Request& request);
  Called undo_writes(UndoWritesArguments asked, mcp::Request& request);
  Called take_snapshot(TakeSnapshotArguments asked, mcp::Request& request);

  // The tool with its schemas; invalid arguments are reported as a tool error.
  template <class Arguments, class Output>
  void add(mcp::Server& server, const wire::Call<Arguments, Output>& tool, mcp::ToolAnnotations annotations,
           Called (SqliteOverMcp::*handler)(Arguments, mcp::Request&));

  // Nothing if the person agrees or no approval is needed; otherwise the answer.
  Task<Result<std::optional<mcp::CallToolResult>>> refused(std::string database, std::string what, mcp::Request& request);
  sqlite::Outcome<sqlite::Ticket> ticket(std::optional<std::int64_t> timeout_ms);
  mcp::CallToolResult wrote(const std::string& database, std::string_view what, const sqlite::Outcome<sqlite::WriteResult>& done,
                            const RowWriter* rows, mcp::Request& request);

  sqlite::Engine& engine_;
  SqliteMcpSettings settings_;
  SqliteResources resources_;
};

}  // namespace parlance::server
