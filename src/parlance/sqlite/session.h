// SPDX-License-Identifier: Apache-2.0
// One open database: a pinned file and two connections, opened on demand. Worker thread only.
//
// SQLite caches pages and trusts counters in the header of the file. After a copy of another database over the file, the counters can be
// equal, and SQLite would mix old pages with new pages and write old pages back. Each request therefore compares size and times of the
// file first and reopens a changed file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "parlance/sqlite/connection.h"

namespace parlance::sqlite {

class Session {
 public:
  Session(const PathGuard& guard, ConnectionSettings settings, std::string path)
      : guard_(guard), settings_(settings), path_(std::move(path)) {}
  ~Session() { close(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Outcome<Connection*> reader(Run& run);
  Outcome<Connection*> writer(Run& run);
  Outcome<> create(Run& run);  // Creates an empty file if missing.
  // Opens the file for writing once, to undo the unfinished write of a dead program.
  Outcome<> repair(Run& run);
  void close();
  // Errors: another program wrote during the request, unseen by SQLite, so the rows may not belong together.
  Outcome<> confirm() const;
  // Call after each request; records the file as written by us.
  void request_ended();
  // Guards another file on this thread; null: this file again.
  void activate(const PinnedFile* other) { PinnedFile::activate(other != nullptr ? other : file_ ? &*file_ : nullptr); }
  const std::string& path() const { return path_; }
  // Increases with each reopen; values of an earlier connection are not comparable.
  std::uint64_t opening() const { return opening_; }

 private:
  // Detects a replaced file: writes to the old file would be lost.
  Outcome<> ensure_file(bool create);
  void note_state();
  void check_file();
  bool has_new_wal() const;  // next to an immutable file
  void discard();            // closes a changed file
  Outcome<Connection*> open(std::unique_ptr<Connection>& connection, Use use, Run& run);

  const PathGuard& guard_;
  ConnectionSettings settings_;
  std::string path_;
  std::optional<PinnedFile> file_;
  FileState known_{};  // at the time of our last read
  // The file changed just before `known_`. A second change within the same clock tick leaves equal times.
  bool is_recent_ = false;
  bool is_checked_ = false;  // in this request
  bool is_writing_ = false;  // this request may change the file
  std::uint64_t opening_ = 0;
  std::unique_ptr<Connection> reader_;
  std::unique_ptr<Connection> writer_;
};

}  // namespace parlance::sqlite
