// SPDX-License-Identifier: Apache-2.0
// What is open in the editor, and what it holds. Values; any thread.
#pragma once

#include "parlance/protocol/editor/values.h"

namespace parlance::editor {

struct File {
  std::string path{};
  std::string content{};
  std::string language{};
  std::uint32_t line_count = 0;
  static constexpr auto wire =
      fields(field<&File::path>("path", doc::path), field<&File::content>("content", "As it is in the editor."),
             field<&File::language>("language", "The editor's name for it."), field<&File::line_count>("lineCount", "Lines."));
};
struct ActiveFile {
  bool success = true;
  std::optional<File> file{};
  std::optional<std::string> error{};
  static constexpr auto wire =
      fields(field<&ActiveFile::success>("success", doc::success), field<&ActiveFile::file>("file", "The one in front."),
             field<&ActiveFile::error>("error", doc::error));
};

struct Selected {
  std::optional<std::string> path{};
  std::string text{};
  Position start{};
  Position end{};
  static constexpr auto wire =
      fields(field<&Selected::path>("path", "Of getLatestSelection."),
             field<&Selected::text>("text", "Empty: nothing is selected, and both ends are the cursor."),
             field<&Selected::start>("start", "Where it begins."), field<&Selected::end>("end", "Where it ends."));
};
struct Selection {
  bool success = true;
  std::optional<Selected> selection{};
  std::optional<std::string> error{};
  static constexpr auto wire =
      fields(field<&Selection::success>("success", doc::success), field<&Selection::selection>("selection", "What is selected."),
             field<&Selection::error>("error", doc::error));
};

struct OpenEditor {
  std::string path{};
  std::string uri{};
  std::string label{};
  std::string language{};
  bool is_active = false;
  bool is_dirty = false;
  bool is_pinned = false;
  std::uint32_t group = 0;
  static constexpr auto wire = fields(field<&OpenEditor::path>("path", doc::path).or_default(),
                                      field<&OpenEditor::uri>("uri", "The same as a URI.").or_default(),
                                      field<&OpenEditor::label>("label", "On its tab.").or_default(),
                                      field<&OpenEditor::language>("language", "The editor's name for it.").or_default(),
                                      field<&OpenEditor::is_active>("isActive", "In front.").or_default(),
                                      field<&OpenEditor::is_dirty>("isDirty", "Holds what is not saved.").or_default(),
                                      field<&OpenEditor::is_pinned>("isPinned", "Pinned.").or_default(),
                                      field<&OpenEditor::group>("group", "Which column.").or_default());
};
struct OpenEditors {
  bool success = true;
  std::optional<std::vector<OpenEditor>> editors{};
  std::optional<std::string> error{};
  static constexpr auto wire =
      fields(field<&OpenEditors::success>("success", doc::success), field<&OpenEditors::editors>("editors", "All tabs."),
             field<&OpenEditors::error>("error", doc::error));
};

struct WorkspaceFolder {
  bool success = true;
  std::optional<std::string> folder{};
  std::optional<std::string> error{};
  static constexpr auto wire = fields(field<&WorkspaceFolder::success>("success", doc::success),
                                      field<&WorkspaceFolder::folder>("folder", "The first; an absolute path."),
                                      field<&WorkspaceFolder::error>("error", doc::error));
};
struct Folder {
  std::string name{};
  std::string path{};
  std::string uri{};
  static constexpr auto wire = fields(field<&Folder::name>("name", "For people."), field<&Folder::path>("path", doc::path),
                                      field<&Folder::uri>("uri", "The same as a URI.").or_default());
};
struct WorkspaceFolders {
  bool success = true;
  std::optional<std::vector<Folder>> folders{};
  std::optional<bool> trusted{};
  std::optional<std::string> error{};
  static constexpr auto wire = fields(field<&WorkspaceFolders::success>("success", doc::success),
                                      field<&WorkspaceFolders::folders>("folders", "All of them."),
                                      field<&WorkspaceFolders::trusted>("trusted", "The person trusts them."),
                                      field<&WorkspaceFolders::error>("error", doc::error));
};

struct ReadDocument {
  std::string path{};
  std::optional<std::uint32_t> start_line{};
  std::optional<std::uint32_t> end_line{};
  static constexpr auto wire = fields(field<&ReadDocument::path>("path", doc::path),
                                      field<&ReadDocument::start_line>("startLine", "From 1; absent: the first."),
                                      field<&ReadDocument::end_line>("endLine", "With it; absent: the last."));
};
struct Document {
  bool success = true;
  std::optional<std::string> content{};
  std::optional<std::uint64_t> version{};
  std::optional<bool> is_dirty{};
  std::optional<std::string> error{};
  static constexpr auto wire =
      fields(field<&Document::success>("success", doc::success), field<&Document::content>("content", "With what is not saved."),
             field<&Document::version>("version", "For applyEdits."),
             field<&Document::is_dirty>("isDirty", "Something is not saved."), field<&Document::error>("error", doc::error));
};
struct DocumentState {
  bool success = true;
  std::optional<bool> is_dirty{};
  std::optional<bool> is_untitled{};
  std::optional<std::string> error{};
  static constexpr auto wire = fields(field<&DocumentState::success>("success", doc::success),
                                      field<&DocumentState::is_dirty>("isDirty", "Something is not saved."),
                                      field<&DocumentState::is_untitled>("isUntitled", "It has no file yet."),
                                      field<&DocumentState::error>("error", doc::error));
};

}  // namespace parlance::editor
