// SPDX-License-Identifier: Apache-2.0
// How a child process is to be started. Values.
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
  refused,  // The path is the real one of a folder that was chosen earlier; a link in it means that the folder was replaced.
};

struct ChildSettings {
  std::vector<std::string> command;  // command[0] is searched in PATH (of the child's environment) unless it has a slash
  std::string folder{};              // working folder; "" is ours. A relative command[0] with a slash is taken from there.
  FolderLinks folder_links = FolderLinks::followed;
  // Given: exactly this environment. Otherwise ours without secrets (`withheld`, except `passed`) and without `unset` ("CLAUDE*" removes by
  // prefix), then with `set`.
  std::optional<std::vector<std::pair<std::string, std::string>>> environment{};
  std::vector<std::pair<std::string, std::string>> set{};
  std::vector<std::string> unset{};
  Withheld withheld = Withheld::credentials;
  std::vector<std::string> passed{};  // Names of withheld variables that the child inherits if they are set.
  enum class Stdin { pipe, null } stdin_from = Stdin::pipe;
  // Lines of stderr as they come (without the line end, cut at limits::stderr_line_bytes; one without its end comes last of all).
  // The tail is kept in any case. It may destroy the ChildProcess.
  std::function<void(BytesView line)> on_stderr_line{};
  std::chrono::milliseconds eof_grace = limits::child_eof_grace;
  std::chrono::milliseconds term_grace = limits::child_term_grace;
};

}  // namespace parlance
