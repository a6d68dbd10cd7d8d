// SPDX-License-Identifier: Apache-2.0
// What Claude Code asks of an editor and is told by it: the tools of its MCP server and their answers, and two notices. Names and members are
// the CLI's own, so close_tab is written as it is. Values; any thread.
#pragma once

#include "parlance/face/ide/editor_values.h"

namespace parlance::face::claude_ide {

using ide::Position;
using ide::Range;
using wire::field;
using wire::fields;
using wire::Nothing;

namespace doc {
inline constexpr const char* file = "An absolute path.";
inline constexpr const char* success = "Whether the editor could; otherwise `message` says why not.";
}  // namespace doc

// ---- arguments -------------------------------------------------------------------------------------------------------------------------

struct OpenFile {
  std::string path{};
  std::optional<bool> preview{};
  std::optional<std::string> start_text{};
  std::optional<std::string> end_text{};
  std::optional<bool> select_to_end_of_line{};
  std::optional<bool> make_frontmost{};
  static constexpr auto wire =
      fields(field<&OpenFile::path>("filePath", doc::file),
             field<&OpenFile::preview>("preview", "In a tab that the next file may take. The editor decides."),
             field<&OpenFile::start_text>("startText", "Where to look: the first place that has this text."),
             field<&OpenFile::end_text>("endText", "To where it would be selected. The cursor is put at startText."),
             field<&OpenFile::select_to_end_of_line>("selectToEndOfLine", "As endText, to the end of the line."),
             field<&OpenFile::make_frontmost>("makeFrontmost", "false: the answer tells about the file as JSON."));
};
struct OpenDiff {
  std::string old_path{};
  std::string new_path{};
  std::string new_contents{};
  std::string tab{};
  static constexpr auto wire =
      fields(field<&OpenDiff::old_path>("old_file_path", doc::file), field<&OpenDiff::new_path>("new_file_path", doc::file),
             field<&OpenDiff::new_contents>("new_file_contents", "All of the file, as it would be."),
             field<&OpenDiff::tab>("tab_name", "What close_tab names it by."));
};
struct DiagnosticsOf {
  std::optional<std::string> uri{};
  static constexpr auto wire = fields(field<&DiagnosticsOf::uri>("uri", "Only of this file: file://…; absent: of all."));
};
struct OneFile {
  std::string path{};
  static constexpr auto wire = fields(field<&OneFile::path>("filePath", doc::file));
};
struct CloseTab {
  std::string tab{};
  static constexpr auto wire = fields(field<&CloseTab::tab>("tab_name", "Of openDiff."));
};
struct ExecuteCode {
  std::string code{};
  static constexpr auto wire = fields(field<&ExecuteCode::code>("code", "For the notebook in front."));
};

// ---- answers: text that is JSON ----------------------------------------------------------------------------------------------------------

struct Told {  // where nothing else is to be said
  bool success = true;
  std::optional<std::string> message{};
  static constexpr auto wire =
      fields(field<&Told::success>("success", doc::success), field<&Told::message>("message", "In words."));
};
struct FileOpened {
  bool success = true;
  std::string path{};
  std::optional<std::string> language{};
  std::optional<std::uint32_t> lines{};
  static constexpr auto wire =
      fields(field<&FileOpened::success>("success", doc::success), field<&FileOpened::path>("filePath", doc::file),
             field<&FileOpened::language>("languageId", "As editors call it."), field<&FileOpened::lines>("lineCount", "Lines."));
};
struct SelectedRange {
  Position start{};
  Position end{};
  bool empty = true;
  static constexpr auto wire = fields(field<&SelectedRange::start>("start", "Where it begins."),
                                      field<&SelectedRange::end>("end", "Behind its last character."),
                                      field<&SelectedRange::empty>("isEmpty", "It is the cursor alone."));
};
struct Selection {
  bool success = true;
  std::string text{};
  std::string path{};
  std::string url{};
  SelectedRange range{};
  static constexpr auto wire =
      fields(field<&Selection::success>("success", doc::success), field<&Selection::text>("text", "What is selected."),
             field<&Selection::path>("filePath", doc::file), field<&Selection::url>("fileUrl", "The same as file://…"),
             field<&Selection::range>("selection", "Where."));
};
struct Tab {
  std::string uri{};
  bool active = false;
  bool pinned = false;
  bool dirty = false;
  std::string label{};
  std::string language{};
  std::uint32_t group = 0;
  std::string path{};
  static constexpr auto wire = fields(
      field<&Tab::uri>("uri", "Of its document."), field<&Tab::active>("isActive", "It is in front."),
      field<&Tab::pinned>("isPinned", "It stays."), field<&Tab::dirty>("isDirty", "It has changes that are not saved."),
      field<&Tab::label>("label", "What stands on it."), field<&Tab::language>("languageId", "As editors call it."),
      field<&Tab::group>("groupIndex", "Of which group of tabs."), field<&Tab::path>("fileName", "An absolute path, or empty."));
};
struct Tabs {
  std::vector<Tab> tabs{};
  static constexpr auto wire = fields(field<&Tabs::tabs>("tabs", "All that are open."));
};
struct Folder {
  std::string name{};
  std::string uri{};
  std::string path{};
  static constexpr auto wire = fields(field<&Folder::name>("name", "What people call it."),
                                      field<&Folder::uri>("uri", "file://…"), field<&Folder::path>("path", doc::file));
};
struct Folders {
  bool success = true;
  std::vector<Folder> folders{};
  std::string root{};
  static constexpr auto wire =
      fields(field<&Folders::success>("success", doc::success), field<&Folders::folders>("folders", "Those of the window."),
             field<&Folders::root>("rootPath", "The first of them; empty: none."));
};
struct Diagnostic {
  std::string message{};
  std::string severity{};
  Range range{};
  std::optional<std::string> source{};
  std::optional<std::string> code{};
  static constexpr auto wire =
      fields(field<&Diagnostic::message>("message", "What is wrong."),
             field<&Diagnostic::severity>("severity", "Error, Warning, Info, Hint"), field<&Diagnostic::range>("range", "Where."),
             field<&Diagnostic::source>("source", "Who says so."), field<&Diagnostic::code>("code", "How they call it."));
};
struct FileDiagnostics {
  std::string uri{};
  std::vector<Diagnostic> diagnostics{};
  static constexpr auto wire = fields(field<&FileDiagnostics::uri>("uri", "file://…"),
                                      field<&FileDiagnostics::diagnostics>("diagnostics", "What is wrong in it."));
};
struct DocumentState {
  bool success = true;
  std::string path{};
  bool dirty = false;
  bool untitled = false;
  static constexpr auto wire =
      fields(field<&DocumentState::success>("success", doc::success), field<&DocumentState::path>("filePath", doc::file),
             field<&DocumentState::dirty>("isDirty", "It has changes that are not saved."),
             field<&DocumentState::untitled>("isUntitled", "It has never been saved."));
};
struct Saved {
  bool success = true;
  std::string path{};
  bool saved = true;
  std::string message{};
  static constexpr auto wire =
      fields(field<&Saved::success>("success", doc::success), field<&Saved::path>("filePath", doc::file),
             field<&Saved::saved>("saved", "It is on the disk."), field<&Saved::message>("message", "In words."));
};

// ---- notices -----------------------------------------------------------------------------------------------------------------------------

struct SelectionChanged {
  std::string text{};
  std::optional<std::string> path{};
  std::optional<std::string> url{};
  std::optional<SelectedRange> range{};
  static constexpr auto wire = fields(field<&SelectionChanged::text>("text", "What is selected now; may be empty."),
                                      field<&SelectionChanged::path>("filePath", "The file in front; absent: none."),
                                      field<&SelectionChanged::url>("fileUrl", "The same as file://…"),
                                      field<&SelectionChanged::range>("selection", "Where; absent: nowhere."));
};
struct AtMentioned {
  std::string path{};
  std::optional<std::uint32_t> first{};
  std::optional<std::uint32_t> last{};
  static constexpr auto wire =
      fields(field<&AtMentioned::path>("filePath", doc::file), field<&AtMentioned::first>("lineStart", "From 0."),
             field<&AtMentioned::last>("lineEnd", "From 0, with it."));
};

struct IdeConnected {
  std::optional<std::int64_t> process{};
  static constexpr auto wire = fields(field<&IdeConnected::process>("pid", "Of the CLI."));
};

inline constexpr auto notices =
    wire::methods(wire::notice<SelectionChanged>("selection_changed", "Another file is in front, or something else is selected."),
                  wire::notice<AtMentioned>("at_mentioned", "The person wants these lines in the prompt."),
                  wire::notice<IdeConnected>("ide_connected", "From the CLI: it has come."));
inline constexpr const auto& selection_changed = wire::method<notices, "selection_changed">;
inline constexpr const auto& at_mentioned = wire::method<notices, "at_mentioned">;
inline constexpr const auto& ide_connected = wire::method<notices, "ide_connected">;

// ---- tools -------------------------------------------------------------------------------------------------------------------------------

inline constexpr auto tools = wire::methods(
    wire::call<OpenFile, FileOpened>("openFile", "Opens a file in the editor, at a place if one is given."),
    wire::call<OpenDiff, Nothing>("openDiff",
                                  "Shows a change and waits for the person: FILE_SAVED with the content as they left it, or "
                                  "DIFF_REJECTED with the name of the tab."),
    wire::call<Nothing, Selection>("getCurrentSelection", "What is selected in the editor in front."),
    wire::call<Nothing, Selection>("getLatestSelection", "What was selected last, wherever the focus is now."),
    wire::call<Nothing, Tabs>("getOpenEditors", "What is open."),
    wire::call<Nothing, Folders>("getWorkspaceFolders", "The folders of the window."),
    wire::call<DiagnosticsOf, std::vector<FileDiagnostics>>("getDiagnostics", "Errors and warnings that the editor shows."),
    wire::call<OneFile, DocumentState>("checkDocumentDirty", "Whether a file has changes that are not saved."),
    wire::call<OneFile, Saved>("saveDocument", "Saves a file that is open."),
    wire::call<CloseTab, Nothing>("close_tab", "Takes a change back that is shown: TAB_CLOSED."),
    wire::call<Nothing, Nothing>("closeAllDiffTabs", "Takes back all changes that are shown: CLOSED_2_DIFF_TABS."),
    wire::call<ExecuteCode, Told>("executeCode", "Runs code in a notebook, where the editor has one."));

inline constexpr const auto& open_file = wire::method<tools, "openFile">;
inline constexpr const auto& open_diff = wire::method<tools, "openDiff">;
inline constexpr const auto& current_selection = wire::method<tools, "getCurrentSelection">;
inline constexpr const auto& latest_selection = wire::method<tools, "getLatestSelection">;
inline constexpr const auto& open_editors = wire::method<tools, "getOpenEditors">;
inline constexpr const auto& workspace_folders = wire::method<tools, "getWorkspaceFolders">;
inline constexpr const auto& diagnostics = wire::method<tools, "getDiagnostics">;
inline constexpr const auto& check_dirty = wire::method<tools, "checkDocumentDirty">;
inline constexpr const auto& save_document = wire::method<tools, "saveDocument">;
inline constexpr const auto& close_tab = wire::method<tools, "close_tab">;
inline constexpr const auto& close_all_diffs = wire::method<tools, "closeAllDiffTabs">;
inline constexpr const auto& execute_code = wire::method<tools, "executeCode">;

}  // namespace parlance::face::claude_ide
