// SPDX-License-Identifier: Apache-2.0
#include "parlance/sqlite/session.h"

#include <atomic>
#include <chrono>
#include <unistd.h>
#include <utility>

#include <sqlite3.h>

namespace parlance::sqlite {
namespace {

std::atomic<std::uint64_t> openings{0};  // of the process

}  // namespace

void Session::close() {
  reader_.reset();
  writer_.reset();
  file_.reset();
}

// The last connection to close would copy the WAL into the file, and the WAL belongs to the old content.
void Session::discard() {
  for (const auto* connection : {&reader_, &writer_})
    if (*connection) (*connection)->keep_wal();
  close();
}

void Session::note_state() {
  constexpr std::int64_t tick_ns = 10'000'000;  // of the slowest kernels, 100 Hz
  known_ = file_->state();
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  is_recent_ = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() - known_.changed_ns < tick_ns;
}

bool Session::has_new_wal() const {
  return reader_ && reader_->is_immutable() && ::access((file_->path() + "-wal").c_str(), F_OK) == 0;
}

Outcome<> Session::confirm() const {
  if (!file_ || !reader_ || !reader_->is_immutable() || (file_->state() == known_ && !has_new_wal())) return {};
  return std::unexpected(Failure{.fault = Fault::sql_error,
                                 .message = "another program wrote to the database while it was read; ask again",
                                 .sqlite_code = SQLITE_BUSY});
}

void Session::request_ended() {
  is_checked_ = false;
  if (std::exchange(is_writing_, false) && file_) note_state();
}

// Once per request, so that connections in use stay open.
void Session::check_file() {
  if (std::exchange(is_checked_, true) || !file_) return;
  if (!file_->still_there()) return close();
  if (file_->state() != known_ || has_new_wal()) return discard();
  if (!is_recent_) return;
  for (const auto* connection : {&reader_, &writer_})
    if (*connection) (*connection)->forget_pages();
  note_state();
}

Outcome<> Session::ensure_file(bool create) {
  check_file();
  if (file_) return {};
  PARLANCE_TRY(file, guard_.pin(path_, create));
  file_.emplace(std::move(file));
  note_state();
  opening_ = ++openings;
  PinnedFile::activate(&*file_);
  return {};
}

Outcome<Connection*> Session::open(std::unique_ptr<Connection>& connection, Use use, Run& run) {
  PARLANCE_TRY_DO(ensure_file(false));
  is_writing_ = is_writing_ || use == Use::write;
  if (!connection) {
    PARLANCE_TRY(opened, Connection::open(*file_, use, settings_, run));
    connection = std::move(opened);
  }
  return connection.get();
}

Outcome<Connection*> Session::reader(Run& run) { return open(reader_, Use::read, run); }
Outcome<Connection*> Session::writer(Run& run) { return open(writer_, Use::write, run); }

Outcome<> Session::create(Run& run) {
  PARLANCE_TRY_DO(ensure_file(true));
  PARLANCE_TRY_DO(reader(run));
  return {};
}

Outcome<> Session::repair(Run& run) {
  PARLANCE_TRY_DO(writer(run));
  return {};
}

}  // namespace parlance::sqlite
