// SPDX-License-Identifier: Apache-2.0
// Decides which files may be opened as databases, and ensures that the opened file is the permitted file.
//
// Between a check and its use, another program may replace a file or a folder by a symbolic link. A check therefore ends in a
// PinnedFile: the path without links, and the open file itself. While a PinnedFile is active on a thread, SQLite opens every
// file under this path without following links (openat2 if the kernel has it), and the database itself must be the pinned file.
// `PathGuard` is constant after construction; any thread. PinnedFile: one owner.
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

// Size and times of a file, in nanoseconds since 1970; each write changes them.
struct FileState {
  std::int64_t bytes = -1;  // -1: unknown
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;  // programs cannot set this time
  friend bool operator==(const FileState&, const FileState&) = default;
};

// A checked file, held open. A later open through this object reaches the same file, even after a rename.
class PinnedFile {
 public:
  PinnedFile(std::string path, int fd, FileId id) : path_(std::move(path)), fd_(fd), id_(id) {}
  PinnedFile(PinnedFile&& other) noexcept : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)), id_(other.id_) {}
  PinnedFile& operator=(PinnedFile&&) = delete;
  ~PinnedFile();

  const std::string& path() const { return path_; }  // Absolute, without symbolic links at the time of the check.
  FileId id() const { return id_; }
  int descriptor() const { return fd_; }
  bool still_there() const;  // the path still names this file
  FileState state() const;

  // For the thread that opens and uses the database, from before the open until after the close; null ends the activation.
  static void activate(const PinnedFile* file);
  class Opening {  // Around sqlite3_open_v2.
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
  std::vector<std::string> allowed_folders{};  // Empty: any.
  bool relative_paths = true;                  // Relative to the working folder; MCP clients do not know it.
  bool strict = false;                         // Refuses files with a second name (hard link), which may be outside.
};

class PathGuard {
 public:
  // Error: an allowed folder is not a folder. A missing folder may appear later.
  static Result<PathGuard> make(PathRules rules);

  // The path without symbolic links, if permitted. The file need not exist.
  Outcome<std::string> resolve(std::string_view asked) const;
  // Pins a resolved path. `create`: makes a missing file empty (0600, because people's data is private).
  Outcome<PinnedFile> pin(std::string_view asked, bool create) const;
  // A new empty file.
  Outcome<PinnedFile> make_new(std::string_view asked) const;

 private:
  explicit PathGuard(PathRules rules) : rules_(std::move(rules)) {}
  bool allowed(std::string_view resolved) const;
  std::unexpected<Failure> refuse_link(std::string_view asked, const std::string& resolved) const;
  const std::string* missing_folder(const std::string& path) const;  // the folder that would contain the path

  PathRules rules_;
};

}  // namespace parlance::sqlite
