// SPDX-License-Identifier: Apache-2.0
// One database at work: its pinned file and its two connections, opened when they are needed. Worker thread only.
//
// SQLite keeps pages in memory and trusts counters in the file's header to tell when they are old. A program that copies another
// database over the file leaves counters that can be the same, and the old pages would be mixed with the new and written back. So each
// request compares size and times of the file first, and a file that others changed is opened again.
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
  // Opens it for writing once, which undoes the unfinished write of a dead program.
  Outcome<> repair(Run& run);
  void close();
  // Whether what a request has read belongs together; an error where another program wrote meanwhile, unseen by SQLite.
  Outcome<> confirm() const;
  // After each request: what it wrote is our own change.
  void request_ended();
  // Another file for this thread to guard, for a while; null: ours again.
  void activate(const PinnedFile* other) { PinnedFile::activate(other != nullptr ? other : file_ ? &*file_ : nullptr); }
  const std::string& path() const { return path_; }
  // Changes each time the file is opened again: values of an earlier connection are not comparable.
  std::uint64_t opening() const { return opening_; }

 private:
  // A file that replaced the open file is another database: writes to the old file would be lost.
  Outcome<> ensure_file(bool create);
  void note_state();
  void check_file();
  bool has_new_wal() const;  // beside a file that is read as immutable
  void discard();            // closes a file that others changed
  Outcome<Connection*> open(std::unique_ptr<Connection>& connection, Use use, Run& run);

  const PathGuard& guard_;
  ConnectionSettings settings_;
  std::string path_;
  std::optional<PinnedFile> file_;
  FileState known_{};  // of the file, when what we have of it was read
  // The file had changed just before that. Another change within the same tick of the kernel's clock leaves the same times.
  bool is_recent_ = false;
  bool is_checked_ = false;  // in this request
  bool is_writing_ = false;  // this request may change the file
  std::uint64_t opening_ = 0;
  std::unique_ptr<Connection> reader_;
  std::unique_ptr<Connection> writer_;
};

}  // namespace parlance::sqlite
