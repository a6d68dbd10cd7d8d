// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/editor/convert.h"

#include <utility>

namespace parlance::face {
namespace {

editor::Position position(const hub::editor::Position& at) { return {.line = at.line, .character = at.character}; }
hub::editor::Position position(const editor::Position& at) { return {.line = at.line, .character = at.character}; }

editor::Diagnostic diagnostic(hub::editor::Diagnostic one) {
  return {.message = std::move(one.message),
          .severity = static_cast<editor::Severity>(one.severity),
          .range = {.start = position(one.range.start), .end = position(one.range.end)},
          .source = std::move(one.source),
          .code = std::move(one.code)};
}

hub::editor::FileEdit file_edit(editor::FileEdit edit) {
  hub::editor::FileEdit out{.path = std::move(edit.path),
                            .create = edit.create.value_or(false),
                            .remove = edit.remove.value_or(false),
                            .rename_to = std::move(edit.rename_to)};
  if (edit.text_edits)
    for (editor::TextEdit& one : *edit.text_edits)
      out.edits.push_back(
          {.range = {.start = position(one.range.start), .end = position(one.range.end)}, .new_text = std::move(one.new_text)});
  return out;
}

}  // namespace

editor::Selected to_wire(hub::editor::Selection selection) {
  return {.path = std::move(selection.path),
          .text = std::move(selection.text),
          .start = position(selection.range.start),
          .end = position(selection.range.end)};
}

editor::OpenEditor to_wire(hub::editor::OpenEditor open) {
  return {.path = std::move(open.path),
          .uri = std::move(open.uri),
          .label = std::move(open.label),
          .language = std::move(open.language),
          .is_active = open.active,
          .is_dirty = open.dirty,
          .is_pinned = open.pinned,
          .group = open.group};
}

editor::Diagnostics to_wire(hub::editor::Diagnostics diagnostics) {
  editor::Diagnostics out;
  if (diagnostics.truncated) out.truncated = true;
  out.files.emplace();
  for (hub::editor::FileDiagnostics& file : diagnostics.files) {
    editor::FileDiagnostics& kept = out.files->emplace_back();
    kept.path = std::move(file.path);
    for (hub::editor::Diagnostic& one : file.diagnostics) kept.diagnostics.push_back(diagnostic(std::move(one)));
  }
  return out;
}

editor::DiffOutcome to_wire(hub::editor::DiffOutcome outcome) {
  if (!outcome.accepted) return {.outcome = editor::Outcome::rejected, .reason = std::move(outcome.reason)};
  return {.outcome = editor::Outcome::accepted, .final_content = std::move(outcome.content), .edited = outcome.edited};
}

hub::editor::ApplyEdits of_wire(editor::ApplyEdits edits) {
  hub::editor::ApplyEdits out{.label = std::move(edits.label), .version = edits.version};
  for (editor::FileEdit& edit : edits.edits) out.edits.push_back(file_edit(std::move(edit)));
  return out;
}

hub::editor::ConfirmDialog of_wire(editor::ConfirmDialog dialog) {
  hub::editor::ConfirmDialog out{
      .title = std::move(dialog.title), .message = std::move(dialog.message), .detail = std::move(dialog.detail)};
  for (editor::DialogOption& one : dialog.options)
    out.options.push_back({.id = std::move(one.id),
                           .label = std::move(one.label),
                           .is_default = one.is_default.value_or(false),
                           .dangerous = one.is_danger.value_or(false)});
  return out;
}

}  // namespace parlance::face
