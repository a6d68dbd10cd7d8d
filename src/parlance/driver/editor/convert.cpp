// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/editor/convert.h"

#include <optional>
#include <utility>

namespace parlance::driver {
namespace {

hub::editor::Position position(const editor::Position& at) { return {.line = at.line, .character = at.character}; }
editor::Position position(const hub::editor::Position& at) { return {.line = at.line, .character = at.character}; }

// Omits false: editors of the first version do not have these members.
std::optional<bool> only_true(bool value) { return value ? std::optional(true) : std::nullopt; }

hub::editor::Diagnostic diagnostic(editor::Diagnostic one) {
  return {.message = std::move(one.message),
          .severity = static_cast<hub::editor::Severity>(one.severity),
          .range = of_wire(one.range),
          .source = std::move(one.source),
          .code = std::move(one.code)};
}

editor::FileEdit file_edit(hub::editor::FileEdit edit) {
  editor::FileEdit wire{.path = std::move(edit.path),
                        .create = only_true(edit.create),
                        .remove = only_true(edit.remove),
                        .rename_to = std::move(edit.rename_to)};
  for (hub::editor::TextEdit& one : edit.edits) {
    if (!wire.text_edits) wire.text_edits.emplace();
    wire.text_edits->push_back(
        {.range = {.start = position(one.range.start), .end = position(one.range.end)}, .new_text = std::move(one.new_text)});
  }
  return wire;
}

}  // namespace

static_assert(static_cast<int>(editor::Severity::hint) == static_cast<int>(hub::editor::Severity::hint));

hub::editor::Range of_wire(const editor::Range& range) { return {.start = position(range.start), .end = position(range.end)}; }

hub::editor::Selection of_wire(editor::Selected selected) {
  return {.path = std::move(selected.path),
          .text = std::move(selected.text),
          .range = {.start = position(selected.start), .end = position(selected.end)}};
}

hub::editor::OpenEditor of_wire(editor::OpenEditor open) {
  return {.path = std::move(open.path),
          .uri = std::move(open.uri),
          .label = std::move(open.label),
          .language = std::move(open.language),
          .active = open.is_active,
          .dirty = open.is_dirty,
          .pinned = open.is_pinned,
          .group = open.group};
}

hub::editor::Folder of_wire(editor::Folder folder) {
  return {.name = std::move(folder.name), .path = std::move(folder.path), .uri = std::move(folder.uri)};
}

hub::editor::Diagnostics of_wire(editor::Diagnostics diagnostics) {
  hub::editor::Diagnostics found{.truncated = diagnostics.truncated.value_or(false)};
  if (!diagnostics.files) return found;
  for (editor::FileDiagnostics& file : *diagnostics.files) {
    hub::editor::FileDiagnostics& kept = found.files.emplace_back();
    kept.path = std::move(file.path);
    for (editor::Diagnostic& one : file.diagnostics) kept.diagnostics.push_back(diagnostic(std::move(one)));
  }
  return found;
}

hub::editor::DiffOutcome of_wire(editor::DiffOutcome outcome) {
  return {.accepted = outcome.outcome == editor::Outcome::accepted,
          .content = std::move(outcome.final_content).value_or(""),
          .edited = outcome.edited.value_or(false),
          .reason = std::move(outcome.reason).value_or("")};
}

editor::ApplyEdits to_wire(hub::editor::ApplyEdits edits) {
  editor::ApplyEdits wire{.label = std::move(edits.label), .version = edits.version};
  for (hub::editor::FileEdit& edit : edits.edits) wire.edits.push_back(file_edit(std::move(edit)));
  return wire;
}

editor::ConfirmDialog to_wire(hub::editor::ConfirmDialog dialog) {
  editor::ConfirmDialog wire{
      .title = std::move(dialog.title), .message = std::move(dialog.message), .detail = std::move(dialog.detail)};
  for (hub::editor::DialogOption& one : dialog.options)
    wire.options.push_back({.id = std::move(one.id),
                            .label = std::move(one.label),
                            .is_default = only_true(one.is_default),
                            .is_danger = only_true(one.dangerous)});
  return wire;
}

}  // namespace parlance::driver
