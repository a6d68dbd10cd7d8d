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
  static constexpr auto wire =
      fields(field<&ReadTextFile::session_id>("sessionId", "Which session.").or_default(),
             field<&ReadTextFile::path>("path", "Absolute."), field<&ReadTextFile::line>("line", "The first line, from 1."),
             field<&ReadTextFile::limit>("limit", "Lines at most; 0 is no limit."), meta_field<&ReadTextFile::meta>());
};
struct FileText {
  std::string content{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&FileText::content>("content", "The text, or those lines of it."), meta_field<&FileText::meta>());
};
struct WriteTextFile {
  std::string session_id{};
  std::string path{};
  std::string content{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&WriteTextFile::session_id>("sessionId", "Which session.").or_default(),
             field<&WriteTextFile::path>("path", "Absolute; made where there is none."),
             field<&WriteTextFile::content>("content", "The whole text."), meta_field<&WriteTextFile::meta>());
};
struct FileWritten {
  std::optional<bool> success{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&FileWritten::success>("success", "Of the iFlow SDK: true."), meta_field<&FileWritten::meta>());
};

}  // namespace parlance::acp
