// SPDX-License-Identifier: Apache-2.0
// Messages that change, save and open documents. Values; any thread.
#pragma once

#include "parlance/protocol/editor/values.h"

namespace parlance::editor {

struct ApplyChanges {
  std::string path{};
  std::string old_str{};
  std::string new_str{};
  std::optional<bool> replace_all{};
  static constexpr auto wire =
      fields(field<&ApplyChanges::path>("path", doc::path),
             field<&ApplyChanges::old_str>("oldStr", "Text to replace. It must occur exactly once, unless replaceAll is true."),
             field<&ApplyChanges::new_str>("newStr", "Text in place of the old text."),
             field<&ApplyChanges::replace_all>("replaceAll", "True replaces every occurrence. Default: false."));
};
struct OpenFile {
  std::string path{};
  std::optional<std::uint32_t> line{};
  std::optional<std::uint32_t> column{};
  static constexpr auto wire =
      fields(field<&OpenFile::path>("path", doc::path),
             field<&OpenFile::line>("line", "Line to show, counted from 1. Only this member counts lines from 1."),
             field<&OpenFile::column>("column", "Column to show, counted from 0."));
};
struct Saved {
  bool success = true;
  std::optional<bool> saved{};
  std::optional<std::string> error{};
  static constexpr auto wire =
      fields(field<&Saved::success>("success", doc::success), field<&Saved::saved>("saved", "True: the document was saved."),
             field<&Saved::error>("error", doc::error));
};
struct TextEdit {
  Range range{};
  std::string new_text{};
  static constexpr auto wire = fields(field<&TextEdit::range>("range", "Range to replace."),
                                      field<&TextEdit::new_text>("newText", "Text in place of the old text."));
};
struct FileEdit {
  std::string path{};
  std::optional<bool> create{};
  std::optional<bool> remove{};
  std::optional<std::string> rename_to{};
  std::optional<std::vector<TextEdit>> text_edits{};
  static constexpr auto wire =
      fields(field<&FileEdit::path>("path", doc::path), field<&FileEdit::create>("create", "True: the edit creates the file."),
             field<&FileEdit::remove>("delete", "True: the edit deletes the file."),
             field<&FileEdit::rename_to>("renameTo", "New absolute path of the file."),
             field<&FileEdit::text_edits>("textEdits", "Text edits. All ranges refer to the document before the edits."));
};
struct ApplyEdits {
  std::string label{};
  std::vector<FileEdit> edits{};
  std::optional<std::uint64_t> version{};
  static constexpr auto wire = fields(
      field<&ApplyEdits::label>("label", "Text of the question to the person.").or_default(),
      field<&ApplyEdits::edits>("edits", "Edits of all files, as one undo step."),
      field<&ApplyEdits::version>("version",
                                  "Version of the document from readDocument. The editor refuses the edits after a change of the "
                                  "document. Absent: no check."));
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
