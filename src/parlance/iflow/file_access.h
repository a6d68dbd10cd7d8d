// SPDX-License-Identifier: Apache-2.0
// The client's files for an agent: only below the permitted folders, after following links, and within the size limit. Reading
// and writing block: run them on a Worker. All calls from any thread, also concurrently: added or removed folders affect later
// calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/workspace/path_guard.h"

namespace parlance::iflow {

struct FileAccessSettings {
  std::string cwd{};  // absolute; relative paths start there
  bool read_only = false;
  std::size_t max_size = 0;
  std::vector<std::string> allowed_dirs{};  // empty: `cwd`
};

class FileAccess {
 public:
  explicit FileAccess(FileAccessSettings settings);

  // Lines `line` to `line + limit - 1`, from 1, without the last line end; no limit or 0: to the end. Errors, in the SDK's words:
  // denied "Access denied: P", not_found "File not found: P", failed "Not a file: P", "File too large: N bytes (max: M)".
  Result<std::string> read(const std::string& path, std::optional<std::uint32_t> line = {},
                           std::optional<std::uint32_t> limit = {}) const;
  // Whole or not at all; folders on the way are made. Besides: denied "File system is in read-only mode".
  Result<void> write(const std::string& path, std::string_view content) const;

  // Error: the system's error for the folder.
  Result<void> add_allowed_dir(const std::string& folder);
  void remove_allowed_dir(const std::string& folder);
  // Exactly these folders from now on; empty: `cwd`. Folders that cannot be opened are skipped and logged.
  void allow(std::vector<std::string> folders);

 private:
  using Guard = std::shared_ptr<const workspace::PathGuard>;  // an active read keeps its guard
  struct Found {
    Guard guard;
    workspace::ResolvedPath path;
  };
  Result<Found> find(const std::string& path) const;

  Result<Guard> guard_of(const std::string& folder) const;
  std::vector<Guard> guards() const;

  const FileAccessSettings settings_;
  mutable std::mutex mutex_;  // for guards_
  std::vector<Guard> guards_;
};

// Lines of a text, as above.
std::string lines_of(std::string_view text, std::optional<std::uint32_t> line, std::optional<std::uint32_t> limit);

}  // namespace parlance::iflow
