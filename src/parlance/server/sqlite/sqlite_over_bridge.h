// SPDX-License-Identifier: Apache-2.0
// Databases over NDJSON version 1: an editor's messages to sqlite-helper on its stdin. One instance for each connection. Loop
// thread only.
//
// Commands for the same database run in order, others in parallel; ping, version and cancel are answered at once. Only `connect`
// changes the active database, and later commands without a path wait for its end.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "parlance/async/scope.h"
#include "parlance/protocol/sqlite_bridge/dialect.h"
#include "parlance/server/sqlite/audit.h"
#include "parlance/sqlite/engine.h"
#include "parlance/sqlite/limits.h"
#include "parlance/transport/frames.h"

namespace parlance::server {

struct BridgeSettings {
  std::string version{};  // of the program
  std::uint64_t max_rows = limits::sqlite_rows;
  std::size_t max_bytes = limits::sqlite_result_bytes;
  SqliteAudit* audit = nullptr;  // outlives the bridge
};

class SqliteBridge {
 public:
  // The engine outlives this object.
  SqliteBridge(sqlite::Engine& engine, std::unique_ptr<Frames> frames, BridgeSettings settings);

  // Runs until the input ends; all read requests are answered and sent. Also ends without a reader of the answers.
  Task<void> run();
  std::size_t running() const { return running_; }
  bool sent() const { return frames_->queued_bytes() == 0; }

 private:
  class Connecting;
  struct Call;

  void handle(BytesView line);
  Task<void> serve(std::shared_ptr<Call> call);
  Task<void> dispatch(Call& call);
  // Reads the payload, finds the database and runs the command. The database: at the payload's path, or the connected database
  // after earlier connects.
  template <class P>
  Task<void> on_database(Call& call, Task<void> (SqliteBridge::*command)(Call& call, P payload));
  Task<void> connect(Call& call);
  Task<void> query(Call& call, sqlite_bridge::Query payload);
  Task<void> execute(Call& call, sqlite_bridge::Execute payload);
  Task<void> apply(Call& call, sqlite_bridge::Apply payload);
  Task<void> undo(Call& call, sqlite_bridge::Undo payload);
  Task<void> snapshot(Call& call, sqlite_bridge::Snapshot payload);
  Task<void> tables(Call& call, sqlite_bridge::Tables payload);
  Task<void> columns(Call& call, sqlite_bridge::Columns payload);
  Task<void> schema(Call& call, sqlite_bridge::OfDatabase payload);
  Task<void> close(Call& call);
  bool answer_at_once(const sqlite_bridge::Request& request);
  std::optional<sqlite_bridge::Code> cancel(const sqlite_bridge::Request& request);  // the reason of a refusal

  void answer_write(Call& call, std::string_view what, const sqlite::Outcome<sqlite::WriteResult>& done);

  // These functions refuse the call and return false or no value for an invalid payload.
  template <class P>
  bool read(Call& call, P& payload);  // also applies its timeout
  bool read_parameters(Call& call, const std::optional<wire::Raw>& text, sqlite::Parameters& parameters);
  bool use_timeout(Call& call, std::optional<std::int64_t> timeout_ms);
  std::optional<sqlite::PageLimits> page_of(Call& call, std::optional<std::int64_t> limit, std::optional<std::int64_t> offset);

  template <class T>
  void answer(std::string_view id, const T& data);
  void answer_done(Call& call, const sqlite::Outcome<>& done);
  template <class F>
  void answer_with(std::string_view id, F write);
  void refuse(std::string_view id, const sqlite_bridge::Failure& failure);
  void refuse(std::string_view id, std::string what);
  void refuse(Call& call, const sqlite_bridge::Failure& failure);
  void refuse(Call& call, std::string what);
  // Logs an immediate answer; without `failed`, as a success.
  void log_outcome(std::string_view id, std::string_view command, std::optional<sqlite_bridge::Code> failed);

  sqlite::Engine& engine_;
  std::unique_ptr<Frames> frames_;
  BridgeSettings settings_;
  std::string active_;  // empty: none
  std::shared_ptr<Connecting> connecting_;
  std::map<std::string, std::shared_ptr<Call>> calls_;  // by the id's key
  std::size_t running_ = 0;
  bool first_line_ = true;
  Signal call_done_;
  Scope scope_;
};

}  // namespace parlance::server
