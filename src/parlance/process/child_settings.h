// SPDX-License-Identifier: Apache-2.0
// Settings for the start of a child process. Values.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parlance/base/bytes.h"
#include "parlance/process/child_secrets.h"
#include "parlance/process/limits.h"

namespace parlance {

// Whether a child may start in a folder whose path contains a symbolic link.
enum class FolderLinks : std::uint8_t {
  followed,
  refused,  // The path is the real path of a folder. A link in it therefore replaced the folder.
};

struct ChildSettings {
  std::vector<std::string> command;  // command[0] is searched in PATH of the child's environment, unless it contains a slash.
  // Working folder. Empty: the folder of this process. A relative command[0] with a slash starts there.
  std::string folder{};
  FolderLinks folder_links = FolderLinks::followed;
  // Given: exactly this environment. Otherwise the environment of this process without secrets (`withheld`, except `passed`) and
  // without `unset` ("CLAUDE*" removes by prefix), then with `set`.
  std::optional<std::vector<std::pair<std::string, std::string>>> environment{};
  std::vector<std::pair<std::string, std::string>> set{};
  std::vector<std::string> unset{};
  Withheld withheld = Withheld::credentials;
  std::vector<std::string> passed{};  // Names of withheld variables that the child inherits if set.
  enum class Stdin { pipe, null } stdin_from = Stdin::pipe;
  // Receives each line of stderr without its line end, cut at limits::stderr_line_bytes. An unfinished last line arrives at the
  // end. The tail is always kept. The callback may destroy the ChildProcess.
  std::function<void(BytesView line)> on_stderr_line{};
  std::chrono::milliseconds eof_grace = limits::child_eof_grace;
  std::chrono::milliseconds term_grace = limits::child_term_grace;
};

}  // namespace parlance
