// SPDX-License-Identifier: Apache-2.0
// Errors and warnings of the editor. Values; any thread.
#pragma once

#include "parlance/protocol/editor/values.h"

namespace parlance::hub::editor {

constexpr auto wire_names(Severity) { return wire::names("Error", "Warning", "Information", "Hint"); }

}  // namespace parlance::hub::editor

namespace parlance::wire {

template <>
struct Describe<hub::editor::Diagnostic> {
  using Diagnostic = hub::editor::Diagnostic;
  static constexpr auto wire = fields(field<&Diagnostic::message>("message", "Text of the problem."),
                                      field<&Diagnostic::severity>("severity", "Severity of the problem."),
                                      field<&Diagnostic::range>("range", "Range of the problem in the file."),
                                      field<&Diagnostic::source>("source", "Program that reports the problem.").or_default(),
                                      field<&Diagnostic::code>("code", "Code of the problem in that program.").or_default());
};
template <>
struct Describe<hub::editor::FileDiagnostics> {
  using FileDiagnostics = hub::editor::FileDiagnostics;
  static constexpr auto wire =
      fields(field<&FileDiagnostics::path>("path", editor::doc::path),
             field<&FileDiagnostics::diagnostics>("diagnostics", "Problems in the order of the editor."));
};

}  // namespace parlance::wire

namespace parlance::editor {

using hub::editor::Diagnostic;
using hub::editor::FileDiagnostics;
using hub::editor::Severity;

struct GetDiagnostics {
  std::optional<std::string> path{};
  std::optional<Severity> severity{};
  static constexpr auto wire =
      fields(field<&GetDiagnostics::path>("path", "Return only diagnostics of this file: an absolute path. Absent: all files."),
             field<&GetDiagnostics::severity>("severity", "Return only diagnostics of this severity. Absent: all severities."));
};
struct Diagnostics {
  bool success = true;
  std::optional<std::vector<FileDiagnostics>> files{};
  std::optional<bool> truncated{};
  std::optional<std::string> error{};
  static constexpr auto wire =
      fields(field<&Diagnostics::success>("success", doc::success), field<&Diagnostics::files>("files", "Files with problems."),
             field<&Diagnostics::truncated>("truncated", "True: more than 1,000 problems exist. Ask for a single file."),
             field<&Diagnostics::error>("error", doc::error));
};

}  // namespace parlance::editor
