// SPDX-License-Identifier: Apache-2.0
// Open documents of the editor, and their content. Values; any thread.
#pragma once

#include "parlance/protocol/editor/values.h"

namespace parlance::wire {

template <>
struct Describe<hub::editor::File> {
  using File = hub::editor::File;
  static constexpr auto wire =
      fields(field<&File::path>("path", editor::doc::path),
             field<&File::content>("content", "Content of the file in the editor, unsaved changes included."),
             field<&File::language>("language", "Language id of the editor, such as python."),
             field<&File::lines>("lineCount", "Number of lines."));
};
template <>
struct Describe<hub::editor::Selected> {
  using Selected = hub::editor::Selected;
  static constexpr auto wire =
      fields(field<&Selected::path>("path", "Absolute path of the file. Only with getLatestSelection."),
             field<&Selected::text>("text", "The selected text. Empty: nothing is selected, and both positions are the cursor."),
             Field{.name = "start",
                   .doc = "First position of the selection.",
                   .type = &type_of<hub::editor::Position>,
                   .owner = &owner_mark<Selected>,
                   .at = [](void* of) -> void* { return &static_cast<Selected*>(of)->range.start; }},
             Field{.name = "end",
                   .doc = "Position after the last character of the selection.",
                   .type = &type_of<hub::editor::Position>,
                   .owner = &owner_mark<Selected>,
                   .at = [](void* of) -> void* { return &static_cast<Selected*>(of)->range.end; }});
};
template <>
struct Describe<hub::editor::OpenEditor> {
  using OpenEditor = hub::editor::OpenEditor;
  static constexpr auto wire =
      fields(field<&OpenEditor::path>("path", editor::doc::path).or_default(),
             field<&OpenEditor::uri>("uri", "URI of the document.").or_default(),
             field<&OpenEditor::label>("label", "Label of the tab.").or_default(),
             field<&OpenEditor::language>("language", "Language id of the editor, such as python.").or_default(),
             field<&OpenEditor::active>("isActive", "True: the tab has the focus.").or_default(),
             field<&OpenEditor::dirty>("isDirty", "True: the document has unsaved changes.").or_default(),
             field<&OpenEditor::pinned>("isPinned", "True: the tab is pinned.").or_default(),
             field<&OpenEditor::group>("group", "Number of the editor column.").or_default());
};
template <>
struct Describe<hub::editor::Folder> {
  using Folder = hub::editor::Folder;
  static constexpr auto wire =
      fields(field<&Folder::name>("name", "Name of the folder for people."), field<&Folder::path>("path", editor::doc::path),
             field<&Folder::uri>("uri", "URI of the folder.").or_default());
};

}  // namespace parlance::wire

namespace parlance::editor {

using hub::editor::File;
using hub::editor::Folder;
using hub::editor::OpenEditor;
using hub::editor::Selected;

struct ActiveFile {
  bool success = true;
  std::optional<File> file{};
  std::optional<std::string> error{};
  static constexpr auto wire = fields(field<&ActiveFile::success>("success", doc::success),
                                      field<&ActiveFile::file>("file", "The file with the focus. Null: no file has the focus."),
                                      field<&ActiveFile::error>("error", doc::error));
};

struct Selection {
  bool success = true;
  std::optional<Selected> selection{};
  std::optional<std::string> error{};
  static constexpr auto wire = fields(field<&Selection::success>("success", doc::success),
                                      field<&Selection::selection>("selection", "The selection. Null: no selection."),
                                      field<&Selection::error>("error", doc::error));
};

struct OpenEditors {
  bool success = true;
  std::optional<std::vector<OpenEditor>> editors{};
  std::optional<std::string> error{};
  static constexpr auto wire =
      fields(field<&OpenEditors::success>("success", doc::success), field<&OpenEditors::editors>("editors", "All open tabs."),
             field<&OpenEditors::error>("error", doc::error));
};

struct WorkspaceFolder {
  bool success = true;
  std::optional<std::string> folder{};
  std::optional<std::string> error{};
  static constexpr auto wire =
      fields(field<&WorkspaceFolder::success>("success", doc::success),
             field<&WorkspaceFolder::folder>("folder", "Absolute path of the first folder. Null: the window has no folder."),
             field<&WorkspaceFolder::error>("error", doc::error));
};
struct WorkspaceFolders {
  bool success = true;
  std::optional<std::vector<Folder>> folders{};
  std::optional<bool> trusted{};
  std::optional<std::string> error{};
  static constexpr auto wire = fields(field<&WorkspaceFolders::success>("success", doc::success),
                                      field<&WorkspaceFolders::folders>("folders", "All folders of the window."),
                                      field<&WorkspaceFolders::trusted>("trusted", "True: the person trusts the folders."),
                                      field<&WorkspaceFolders::error>("error", doc::error));
};

struct ReadDocument {
  std::string path{};
  std::optional<std::uint32_t> start_line{};
  std::optional<std::uint32_t> end_line{};
  static constexpr auto wire =
      fields(field<&ReadDocument::path>("path", doc::path),
             field<&ReadDocument::start_line>("startLine", "First line to return, counted from 1. Absent: the first line."),
             field<&ReadDocument::end_line>("endLine", "Last line to return, this line included. Absent: the last line."));
};
struct Document {
  bool success = true;
  std::optional<std::string> content{};
  std::optional<std::uint64_t> version{};
  std::optional<bool> is_dirty{};
  std::optional<std::string> error{};
  static constexpr auto wire = fields(field<&Document::success>("success", doc::success),
                                      field<&Document::content>("content", "Text of the document, unsaved changes included."),
                                      field<&Document::version>("version", "Version of the document, for applyEdits."),
                                      field<&Document::is_dirty>("isDirty", "True: the document has unsaved changes."),
                                      field<&Document::error>("error", doc::error));
};
struct DocumentState {
  bool success = true;
  std::optional<bool> is_dirty{};
  std::optional<bool> is_untitled{};
  std::optional<std::string> error{};
  static constexpr auto wire =
      fields(field<&DocumentState::success>("success", doc::success),
             field<&DocumentState::is_dirty>("isDirty", "True: the document has unsaved changes."),
             field<&DocumentState::is_untitled>("isUntitled", "True: the document has never been saved."),
             field<&DocumentState::error>("error", doc::error));
};

}  // namespace parlance::editor
