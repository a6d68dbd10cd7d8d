// SPDX-License-Identifier: Apache-2.0
// Requests of a page about a folder: its files, and the agent sessions of it. values.h declares the answers. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/protocol/page/values.h"
#include "parlance/wire/call.h"

namespace parlance::page {

struct KeptSessions {
  static constexpr std::string_view tag = "sessions";
  using Value = KeptSessionsValue;
  std::string request{};
  std::string agent{};
  std::string folder{};
  static constexpr auto wire = fields(
      field<&KeptSessions::request>("request", request_doc::request), field<&KeptSessions::agent>("agent", "Id of the agent."),
      field<&KeptSessions::folder>("folder", "Folder of the sessions: an absolute path, or a path that begins with ~."));
};
struct FindFiles {
  static constexpr std::string_view tag = "files";
  using Value = FilesValue;
  std::string request{};
  std::string folder{};
  std::string typed{};
  std::optional<std::vector<std::string>> folders{};
  std::optional<std::vector<std::string>> excluded{};
  std::optional<std::string> conversation{};
  std::optional<std::string> agent{};
  static constexpr auto wire = fields(
      field<&FindFiles::request>("request", request_doc::request),
      field<&FindFiles::folder>("folder", "Folder to search: an absolute path, or a path that begins with ~."),
      field<&FindFiles::typed>("typed", "Characters to find, in this order, anywhere in the path. Empty: every file matches."),
      field<&FindFiles::folders>("folders", "Additional folders to search. Paths of their files are absolute."),
      field<&FindFiles::excluded>("excluded",
                                  "Patterns of excluded files, in the form of editor settings, in addition to .gitignore files."),
      field<&FindFiles::conversation>(
          "conversation", "Id of the conversation. On a runner's machine, its own folders are searched and `folder` is ignored."),
      field<&FindFiles::agent>(
          "agent", "Id of the agent of a new conversation, perhaps on a runner's machine. Ignored with `conversation`."));
};
struct AdoptSession {
  static constexpr std::string_view tag = "adopt";
  using Value = ConversationValue;
  std::string request{};
  std::string agent{};
  std::string folder{};
  std::string session{};
  static constexpr auto wire = fields(
      field<&AdoptSession::request>("request", request_doc::request), field<&AdoptSession::agent>("agent", "Id of the agent."),
      field<&AdoptSession::folder>("folder", "Absolute path, or a path that begins with ~."),
      field<&AdoptSession::session>(
          "session", "The agent's id of the session. A new conversation continues the session with all its messages."));
};

}  // namespace parlance::page
