// SPDX-License-Identifier: Apache-2.0
// What the editor shows as wrong. Values; any thread.
#pragma once

#include "parlance/protocol/editor/values.h"

namespace parlance::editor {

enum class Severity : std::uint8_t { error, warning, information, hint };
constexpr auto wire_names(Severity) { return wire::names("Error", "Warning", "Information", "Hint"); }

struct GetDiagnostics {
  std::optional<std::string> path{};
  std::optional<Severity> severity{};
  static constexpr auto wire = fields(field<&GetDiagnostics::path>("path", "Only of this file."),
                                      field<&GetDiagnostics::severity>("severity", "Only of this kind."));
};
struct Diagnostic {
  std::string message{};
  Severity severity = Severity::error;
  Range range{};
  std::string source{};
  std::string code{};
  static constexpr auto wire =
      fields(field<&Diagnostic::message>("message", "What is wrong."), field<&Diagnostic::severity>("severity", "How much."),
             field<&Diagnostic::range>("range", "Where."), field<&Diagnostic::source>("source", "Who says so.").or_default(),
             field<&Diagnostic::code>("code", "The name it has there.").or_default());
};
struct FileDiagnostics {
  std::string path{};
  std::vector<Diagnostic> diagnostics{};
  static constexpr auto wire = fields(field<&FileDiagnostics::path>("path", doc::path),
                                      field<&FileDiagnostics::diagnostics>("diagnostics", "In its order."));
};
struct Diagnostics {
  bool success = true;
  std::optional<std::vector<FileDiagnostics>> files{};
  std::optional<bool> truncated{};
  std::optional<std::string> error{};
  static constexpr auto wire =
      fields(field<&Diagnostics::success>("success", doc::success), field<&Diagnostics::files>("files", "Those with any."),
             field<&Diagnostics::truncated>("truncated", "There are more than 1,000: ask for one file."),
             field<&Diagnostics::error>("error", doc::error));
};

}  // namespace parlance::editor
