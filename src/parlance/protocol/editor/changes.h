// SPDX-License-Identifier: Apache-2.0
// What is changed, saved and opened. Values; any thread.
#pragma once

#include "parlance/protocol/editor/values.h"

namespace parlance::editor {

struct ApplyChanges {
  std::string path{};
  std::string old_str{};
  std::string new_str{};
  std::optional<bool> replace_all{};
  static constexpr auto wire = fields(field<&ApplyChanges::path>("path", doc::path),
                                      field<&ApplyChanges::old_str>("oldStr", "Must be there exactly once."),
                                      field<&ApplyChanges::new_str>("newStr", "In its place."),
                                      field<&ApplyChanges::replace_all>("replaceAll", "Wherever it is."));
};
struct OpenFile {
  std::string path{};
  std::optional<std::uint32_t> line{};
  std::optional<std::uint32_t> column{};
  static constexpr auto wire =
      fields(field<&OpenFile::path>("path", doc::path), field<&OpenFile::line>("line", "From 1: here alone."),
             field<&OpenFile::column>("column", "From 0."));
};
struct Saved {
  bool success = true;
  std::optional<bool> saved{};
  std::optional<std::string> error{};
  static constexpr auto wire = fields(field<&Saved::success>("success", doc::success),
                                      field<&Saved::saved>("saved", "It has been."), field<&Saved::error>("error", doc::error));
};
struct TextEdit {
  Range range{};
  std::string new_text{};
  static constexpr auto wire =
      fields(field<&TextEdit::range>("range", "What goes."), field<&TextEdit::new_text>("newText", "What comes."));
};
struct FileEdit {
  std::string path{};
  std::optional<bool> create{};
  std::optional<bool> remove{};
  std::optional<std::string> rename_to{};
  std::optional<std::vector<TextEdit>> text_edits{};
  static constexpr auto wire =
      fields(field<&FileEdit::path>("path", doc::path), field<&FileEdit::create>("create", "It is new."),
             field<&FileEdit::remove>("delete", "It goes."), field<&FileEdit::rename_to>("renameTo", "Its new absolute path."),
             field<&FileEdit::text_edits>("textEdits", "Of the document as it was."));
};
struct ApplyEdits {
  std::string label{};
  std::vector<FileEdit> edits{};
  std::optional<std::uint64_t> version{};
  static constexpr auto wire =
      fields(field<&ApplyEdits::label>("label", "What the person is asked about.").or_default(),
             field<&ApplyEdits::edits>("edits", "One step to undo."),
             field<&ApplyEdits::version>("version", "Of the document that was read: refused when it is another by now."));
};
struct Applied {
  bool success = true;
  std::optional<bool> applied{};
  std::optional<std::vector<std::string>> files{};
  std::optional<std::string> error{};
  static constexpr auto wire =
      fields(field<&Applied::success>("success", doc::success), field<&Applied::applied>("applied", "It has been."),
             field<&Applied::files>("files", "Which were changed."), field<&Applied::error>("error", doc::error));
};

}  // namespace parlance::editor
