// SPDX-License-Identifier: Apache-2.0
// Files that the agent reads and writes through its client, which may hold changes that are not saved. Values; any thread.
#pragma once

#include "parlance/protocol/acp/content.h"

namespace parlance::acp {

struct ReadTextFile {
  std::string session_id{};
  std::string path{};
  std::optional<std::uint32_t> line{};
  std::optional<std::uint32_t> limit{};
  Raw meta{};
  static constexpr auto wire = fields(field<&ReadTextFile::session_id>("sessionId", "Id of the session.").or_default(),
                                      field<&ReadTextFile::path>("path", "Absolute path of the file."),
                                      field<&ReadTextFile::line>("line", "First line to return, counted from 1. Absent: line 1."),
                                      field<&ReadTextFile::limit>("limit", "Highest number of lines. Absent or 0: no limit."),
                                      meta_field<&ReadTextFile::meta>());
};
struct FileText {
  std::string content{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&FileText::content>("content", "Text of the file, or of the requested lines."), meta_field<&FileText::meta>());
};
struct WriteTextFile {
  std::string session_id{};
  std::string path{};
  std::string content{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&WriteTextFile::session_id>("sessionId", "Id of the session.").or_default(),
             field<&WriteTextFile::path>("path", "Absolute path of the file. A missing file is created."),
             field<&WriteTextFile::content>("content", "The complete new text of the file."), meta_field<&WriteTextFile::meta>());
};
struct FileWritten {
  std::optional<bool> success{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&FileWritten::success>("success", "Always true, for iFlow's SDK."), meta_field<&FileWritten::meta>());
};

}  // namespace parlance::acp
