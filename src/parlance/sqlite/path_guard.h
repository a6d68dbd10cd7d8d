// SPDX-License-Identifier: Apache-2.0
// Which files may be opened as databases, and that the file which was allowed is the one that gets opened.
//
// Between a check and its use anybody may exchange a file or a folder for a symlink. So a check ends in a PinnedFile: the path
// without symlinks and the file itself, held open. While a PinnedFile is active on a thread, every file that SQLite opens there under
// that path is opened without following any symlink (openat2 where the kernel has it), and the database itself must be the pinned
// file. `PathGuard` is a constant after construction; any thread. PinnedFile: one owner.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <utility>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/sqlite/failure.h"

namespace parlance::sqlite {

struct FileId {
  dev_t device = 0;
  ino_t inode = 0;
  friend bool operator==(const FileId&, const FileId&) = default;
};

// What changes when somebody writes a file, in nanoseconds since 1970.
struct FileState {
  std::int64_t bytes = -1;  // -1: unknown
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;  // no program can set it back
  friend bool operator==(const FileState&, const FileState&) = default;
};

// A file that was judged, held open: what is opened later through it is that file, wherever its name leads by then.
class PinnedFile {
 public:
  PinnedFile(std::string path, int fd, FileId id) : path_(std::move(path)), fd_(fd), id_(id) {}
  PinnedFile(PinnedFile&& other) noexcept : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)), id_(other.id_) {}
  PinnedFile& operator=(PinnedFile&&) = delete;
  ~PinnedFile();

  const std::string& path() const { return path_; }  // absolute, no symlink in it when it was checked
  FileId id() const { return id_; }
  int descriptor() const { return fd_; }
  bool still_there() const;  // the path still names this file
  FileState state() const;

  // For the thread that opens and uses the database, from before the opening until after the closing; null ends it.
  static void activate(const PinnedFile* file);
  class Opening {  // around sqlite3_open_v2
   public:
    Opening();
    ~Opening();
  };

 private:
  std::string path_;
  int fd_;
  FileId id_;
};

struct PathRules {
  std::vector<std::string> allowed_folders{};  // empty: any
  bool relative_paths = true;                  // from the working folder; MCP clients have no idea of it
  bool strict = false;                         // refuse files with a second name (hard link), which may lie outside
};

class PathGuard {
 public:
  // An error for an allowed folder that is something else; one that is not there yet may come later.
  static Result<PathGuard> make(PathRules rules);

  // The path without symlinks, if it may be opened. It need not exist.
  Outcome<std::string> resolve(std::string_view asked) const;
  // Pins a resolved path. `create`: an empty file is made if there is none (0600: what people keep is private).
  Outcome<PinnedFile> pin(std::string_view asked, bool create) const;
  // A file that did not exist, empty.
  Outcome<PinnedFile> make_new(std::string_view asked) const;

 private:
  explicit PathGuard(PathRules rules) : rules_(std::move(rules)) {}
  bool allowed(std::string_view resolved) const;
  std::unexpected<Failure> refuse_link(std::string_view asked, const std::string& resolved) const;
  const std::string* missing_folder(const std::string& path) const;  // that it would be inside of

  PathRules rules_;
};

}  // namespace parlance::sqlite
