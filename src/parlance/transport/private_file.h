// SPDX-License-Identifier: Apache-2.0
// Private files and folders, also inside folders with other writers. Blocks: for small and rarely written data. Any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <unistd.h>
#include <utility>

#include "parlance/base/result.h"

namespace parlance {

// Writes the whole file beside its target under an unpredictable new name (O_EXCL), with mode 0600, then syncs and renames the
// file. Readers see the whole file, and no link or file of another user is ever followed.
Result<void> write_private_file(const std::string& path, std::string_view text);

// Reads a private file of at most `most_bytes`. Absent: no such file. Errors: denied (a link, a special file, a file of another
// user, or a file that other users can read), failed.
Result<std::optional<std::string>> read_private_file(const std::string& path, std::size_t most_bytes);

// Orders the writers of a file between threads and processes, from `take` to the end of the object. Blocks while another holds
// the lock.
class FileLock {
 public:
  // Creates the lock file `path` with mode 0600; its folder exists.
  static Result<FileLock> take(const std::string& path);
  // Absent: another holds the lock. Does not block.
  static Result<std::optional<FileLock>> try_take(const std::string& path);
  FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileLock& operator=(FileLock&&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int fd) : fd_(fd) {}
  static Result<FileLock> open(const std::string& path);
  int fd_;
};

enum class FolderCare { made, fine, tightened };  // Tightened the mode: other users had access before.

// A folder with mode 0700, created if missing. Errors: denied (another user owns the folder, named in the text), failed.
Result<FolderCare> keep_private_folder(const std::string& path, uid_t own = ::geteuid());

}  // namespace parlance
