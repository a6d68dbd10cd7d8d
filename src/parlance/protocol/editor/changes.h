// SPDX-License-Identifier: Apache-2.0
// Messages that change, save and open documents. Values; any thread.
#pragma once

#include "parlance/protocol/editor/values.h"

namespace parlance::wire {

template <>
struct Describe<hub::editor::ApplyChanges> {
  using ApplyChanges = hub::editor::ApplyChanges;
  static constexpr auto wire =
      fields(field<&ApplyChanges::path>("path", editor::doc::path),
             field<&ApplyChanges::old_text>("oldStr", "Text to replace. It must occur exactly once, unless replaceAll is true."),
             field<&ApplyChanges::new_text>("newStr", "Text in place of the old text."),
             field<&ApplyChanges::replace_all>("replaceAll", "True replaces every occurrence. Default: false.").or_absent());
};
template <>
struct Describe<hub::editor::OpenFile> {
  using OpenFile = hub::editor::OpenFile;
  static constexpr auto wire =
      fields(field<&OpenFile::path>("path", editor::doc::path),
             field<&OpenFile::line>("line", "Line to show, counted from 1. Only this member counts lines from 1."),
             field<&OpenFile::column>("column", "Column to show, counted from 0."));
};
template <>
struct Describe<hub::editor::TextEdit> {
  using TextEdit = hub::editor::TextEdit;
  static constexpr auto wire = fields(field<&TextEdit::range>("range", "Range to replace."),
                                      field<&TextEdit::new_text>("newText", "Text in place of the old text."));
};
template <>
struct Describe<hub::editor::FileEdit> {
  using FileEdit = hub::editor::FileEdit;
  static constexpr auto wire =
      fields(field<&FileEdit::path>("path", editor::doc::path),
             field<&FileEdit::create>("create", "True: the edit creates the file.").or_absent(),
             field<&FileEdit::remove>("delete", "True: the edit deletes the file.").or_absent(),
             field<&FileEdit::rename_to>("renameTo", "New absolute path of the file."),
             field<&FileEdit::edits>("textEdits", "Text edits. All ranges refer to the document before the edits.").or_absent());
};
template <>
struct Describe<hub::editor::ApplyEdits> {
  using ApplyEdits = hub::editor::ApplyEdits;
  static constexpr auto wire = fields(
      field<&ApplyEdits::label>("label", "Text of the question to the person.").or_default(),
      field<&ApplyEdits::edits>("edits", "Edits of all files, as one undo step."),
      field<&ApplyEdits::version>("version",
                                  "Version of the document from readDocument. The editor refuses the edits after a change of the "
                                  "document. Absent: no check."));
};

}  // namespace parlance::wire

namespace parlance::editor {

using hub::editor::ApplyChanges;
using hub::editor::ApplyEdits;
using hub::editor::FileEdit;
using hub::editor::OpenFile;
using hub::editor::TextEdit;

struct Saved {
  bool success = true;
  std::optional<bool> saved{};
  std::optional<std::string> error{};
  static constexpr auto wire =
      fields(field<&Saved::success>("success", doc::success), field<&Saved::saved>("saved", "True: the document was saved."),
             field<&Saved::error>("error", doc::error));
};
struct Applied {
  bool success = true;
  std::optional<bool> applied{};
  std::optional<std::vector<std::string>> files{};
  std::optional<std::string> error{};
  static constexpr auto wire = fields(
      field<&Applied::success>("success", doc::success), field<&Applied::applied>("applied", "True: the edits were made."),
      field<&Applied::files>("files", "Absolute paths of the changed files."), field<&Applied::error>("error", doc::error));
};

}  // namespace parlance::editor
