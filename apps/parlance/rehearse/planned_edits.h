// SPDX-License-Identifier: Apache-2.0
// Edits of several files, computed before the first write: all or none. Blocks on the disk; any thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "parlance/hub/editor/editor.h"

namespace parlance::app {

Result<std::string> read_whole(const std::string& path);                     // Errors: failed, "Cannot read PATH"
Result<void> write_whole(const std::string& path, const std::string& text);  // Errors: failed, "Cannot write PATH"

class PlannedEdits {
 public:
  // Reads the files. Paths are absolute, with links followed. Errors: failed, with the path and the obstacle.
  static Result<PlannedEdits> of(const std::vector<hub::editor::FileEdit>& edits);

  const std::optional<std::string>& before(const std::string& path) const;  // the original file; nothing: no file existed
  std::string words() const;                                                // the changes, a line for each file
  // Errors: failed; all earlier writes are reverted.
  Result<void> carry_out() const;

 private:
  struct File {
    std::optional<std::string> before{};
    std::optional<std::string> after{};
  };
  Result<void> add(const hub::editor::FileEdit& edit);
  Result<File*> known(const std::string& path);
  static Result<void> make(const std::string& path, const std::optional<std::string>& text);

  std::map<std::string, File> files_;
};

}  // namespace parlance::app
