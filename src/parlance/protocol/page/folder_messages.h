// SPDX-License-Identifier: Apache-2.0
// What a page asks of a folder: its files, and the sessions that an agent keeps of it by itself (values.h has the answers). Any thread.
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
      field<&KeptSessions::folder>("folder", "Whose: an absolute path, or one below the home folder that begins with ~."));
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
      field<&FindFiles::folder>("folder", "Where to look: an absolute path, or one below the home folder that begins with ~."),
      field<&FindFiles::typed>("typed", "Its characters in their order, anywhere in the path; empty: any file."),
      field<&FindFiles::folders>("folders", "Further ones, whose files are told by their whole paths."),
      field<&FindFiles::excluded>(
          "excluded", "Patterns of what is left out, as an editor's settings have them, beside what a .gitignore names."),
      field<&FindFiles::conversation>("conversation",
                                      "In which somebody writes: of one on a runner's machine its own folders there are looked "
                                      "through, whatever is named here."),
      field<&FindFiles::agent>("agent", "Where none has begun yet: who would work there, on a runner's machine perhaps."));
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
      field<&AdoptSession::folder>("folder", "Absolute path, or one below the home folder that begins with ~."),
      field<&AdoptSession::session>("session",
                                    "The agent's name for it: a conversation goes on with it, with all that was said there."));
};

}  // namespace parlance::page
