// SPDX-License-Identifier: Apache-2.0
#include "parlance/sqlite/undo.h"

#include <unistd.h>

#include <sqlite3.h>

#include "parlance/sqlite/limits.h"
#include "parlance/sqlite/session.h"

namespace parlance::sqlite {
namespace {

constexpr int backup_pages = 256;  // between two looks at the deadline: 1 MiB

}  // namespace

void UndoHistory::remember(Recording recording) {
  const std::lock_guard lock(mutex_);
  if (recording.complete() && recording.changeset.empty()) return;  // nothing was changed
  if (!recording.complete() || recording.changeset.size() > limits::sqlite_undo_bytes) {
    writes_.clear();
    bytes_ = 0;
    last_loss_ = recording.complete() ? "more was changed than is kept" : recording.missing.front();
    return;
  }
  bytes_ += recording.changeset.size();
  writes_.push_back(std::move(recording.changeset));
  while (writes_.size() > limits::sqlite_undo_writes || bytes_ > limits::sqlite_undo_bytes) {
    bytes_ -= writes_.front().size();
    writes_.pop_front();
    last_loss_ = "older writes are not kept";
  }
}

Outcome<WriteResult> UndoHistory::write(Connection& connection, Run& run, const WriteRequest& request, RowSink& sink) {
  Recorder recorder(connection, limits::sqlite_undo_bytes);
  auto result = sqlite::write(connection, run, request, sink);
  if (result) remember(recorder.finish());
  return result;
}

Outcome<Preview> UndoHistory::preview(Connection& connection, Run& run, const WriteRequest& request, RowSink& sink) {
  const Connection::Using under(connection, run, Gate::Mode::write);
  if (is_blank(request.sql)) return fail(Fault::invalid_request, "empty statement");
  if (begins_with_word(request.sql, "VACUUM"))
    return fail(Fault::invalid_request, "VACUUM has no preview: run it without a preview");
  const bool several = count_statements(request.sql) > 1;
  if (several && request.parameters.given) return fail(Fault::invalid_request, "parameters need a single statement");
  sqlite3_set_last_insert_rowid(connection.handle(), 0);
  PARLANCE_TRY_DO(connection.execute_own("BEGIN IMMEDIATE"));
  struct Rollback {
    Connection& connection;
    ~Rollback() {
      if (sqlite3_get_autocommit(connection.handle()) == 0) static_cast<void>(connection.execute_own("ROLLBACK"));
    }
  };
  Recorder recorder(connection, limits::sqlite_undo_bytes);
  const Rollback rollback{connection};
  PARLANCE_TRY(would, write_statements(connection, request, sink, several));
  Preview preview{.would = std::move(would)};
  Recording recording = recorder.finish();
  PARLANCE_TRY(tables, describe(connection, recording.changeset, limits::sqlite_preview_changes));
  std::uint64_t rows = 0;
  for (const TableChange& table : tables) rows += table.inserted + table.updated + table.deleted;
  preview.rows_left_out = rows > limits::sqlite_preview_changes;
  preview.tables = std::move(tables);
  preview.missing = std::move(recording.missing);
  if (recording.changes_settings) preview.missing.push_back("a setting changes, which cannot be recorded");
  if (!preview.missing.empty()) return preview;
  const std::lock_guard lock(mutex_);
  preview.id = "p" + std::to_string(next_preview_++);
  previews_.keep(preview.id, std::move(recording.changeset));
  return preview;
}

Outcome<WriteResult> UndoHistory::apply(Connection& connection, Run& run, const std::string& preview_id) {
  std::string changeset;
  {
    const std::lock_guard lock(mutex_);
    const std::string* const found = previews_.find(preview_id);
    if (found == nullptr) return fail(Fault::invalid_request, "no such preview: " + preview_id.substr(0, 64));
    changeset = *found;
  }
  PARLANCE_TRY(changes, sqlite::apply(connection, run, changeset));
  {
    const std::lock_guard lock(mutex_);
    static_cast<void>(previews_.take(preview_id));
  }
  remember({.changeset = std::move(changeset)});
  return WriteResult{.changes = changes, .total_changes = changes};
}

Outcome<WriteResult> UndoHistory::undo(Connection& connection, Run& run, std::size_t count) {
  std::vector<std::string> last;  // the latest first
  {
    const std::lock_guard lock(mutex_);
    if (count == 0 || count > writes_.size())
      return fail(Fault::invalid_request, "only " + std::to_string(writes_.size()) + " writes can be undone" +
                                              (last_loss_.empty() ? std::string() : ": " + last_loss_));
    for (std::size_t i = 0; i < count; ++i) last.push_back(writes_[writes_.size() - 1 - i]);
  }
  WriteResult result;
  for (const std::string& changeset : last) {
    PARLANCE_TRY(inverse, inverse_of(changeset));
    // Undoes each write separately, latest first. After a conflict, undone writes stay undone and leave the history.
    auto changes = sqlite::apply(connection, run, inverse);
    if (!changes) {
      if (result.changes != 0) changes.error().message += " (of this one; later writes were undone)";
      return std::unexpected(std::move(changes).error());
    }
    result.changes += *changes;
    const std::lock_guard lock(mutex_);
    if (!writes_.empty() && writes_.back() == changeset) {
      bytes_ -= writes_.back().size();
      writes_.pop_back();
    }
  }
  result.total_changes = result.changes;
  return result;
}

Outcome<> snapshot(Session& session, Run& run, const PathGuard& guard, const std::string& to) {
  PARLANCE_TRY(source, session.reader(run));
  PARLANCE_TRY(target, guard.make_new(to));
  Outcome<> done{};
  {
    session.activate(&target);
    auto opened = Connection::open(target, Use::write, {}, run);
    if (!opened) {
      done = std::unexpected(std::move(opened).error());
    } else {
      const Connection::Using under(*source, run, Gate::Mode::own);
      sqlite3_backup* const backup = sqlite3_backup_init((*opened)->handle(), "main", source->handle(), "main");
      int code = backup == nullptr ? SQLITE_ERROR : SQLITE_OK;
      while (code == SQLITE_OK) {
        code = sqlite3_backup_step(backup, backup_pages);
        if (code == SQLITE_BUSY || code == SQLITE_LOCKED) {
          sqlite3_sleep(static_cast<int>(limits::sqlite_busy_pause.count()));
          code = SQLITE_OK;
        }
        if (code == SQLITE_OK && !run.may_go_on()) code = SQLITE_INTERRUPT;
      }
      const int finished = backup == nullptr ? SQLITE_ERROR : sqlite3_backup_finish(backup);
      if (code != SQLITE_DONE) done = std::unexpected(source->failure(code));
      else if (finished != SQLITE_OK) done = std::unexpected((*opened)->failure(finished));
    }
    session.activate(nullptr);
  }
  if (!done) ::unlink(target.path().c_str());
  return done;
}

}  // namespace parlance::sqlite
