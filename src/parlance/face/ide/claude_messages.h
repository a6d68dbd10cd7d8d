// SPDX-License-Identifier: Apache-2.0
// The messages between Claude Code and an editor: tools of the MCP server, their answers, and two notices. Names are the CLI's
// own, such as close_tab. Values; any thread.
#pragma once

#include "parlance/face/ide/editor_values.h"

namespace parlance::face::claude_ide {

using ide::Position;
using ide::Range;
using wire::field;
using wire::fields;
using wire::Nothing;

namespace doc {
inline constexpr const char* file = "Absolute path of the file.";
inline constexpr const char* success = "True: the operation succeeded. False: `message` has the reason.";
}  // namespace doc

// ---- arguments -------------------------------------------------------------------------------------------------------------------------

struct OpenFile {
  std::string path{};
  std::optional<bool> preview{};
  std::optional<std::string> start_text{};
  std::optional<std::string> end_text{};
  std::optional<bool> select_to_end_of_line{};
  std::optional<bool> make_frontmost{};
  static constexpr auto wire = fields(
      field<&OpenFile::path>("filePath", doc::file),
      field<&OpenFile::preview>(
          "preview", "True opens the file in a preview tab, which the next file may replace. The editor may ignore this."),
      field<&OpenFile::start_text>("startText", "Text to show: the first occurrence in the file. The cursor moves to this text."),
      field<&OpenFile::end_text>("endText",
                                 "Text at the end of the wanted selection. The editor sets only the cursor, at startText."),
      field<&OpenFile::select_to_end_of_line>(
          "selectToEndOfLine", "True extends the wanted selection to the end of the line. The editor sets only the cursor."),
      field<&OpenFile::make_frontmost>("makeFrontmost", "False: the result describes the file as JSON. Default: true."));
};
struct OpenDiff {
  std::string old_path{};
  std::string new_path{};
  std::string new_contents{};
  std::string tab{};
  static constexpr auto wire =
      fields(field<&OpenDiff::old_path>("old_file_path", doc::file), field<&OpenDiff::new_path>("new_file_path", doc::file),
             field<&OpenDiff::new_contents>("new_file_contents", "The complete proposed content of the file."),
             field<&OpenDiff::tab>("tab_name", "Name of the tab, for close_tab."));
};
struct DiagnosticsOf {
  std::optional<std::string> uri{};
  static constexpr auto wire =
      fields(field<&DiagnosticsOf::uri>("uri", "Return only diagnostics of this file, as file://… Default: all files."));
};
struct OneFile {
  std::string path{};
  static constexpr auto wire = fields(field<&OneFile::path>("filePath", doc::file));
};
struct CloseTab {
  std::string tab{};
  static constexpr auto wire = fields(field<&CloseTab::tab>("tab_name", "Name of the tab, as given to openDiff."));
};
struct ExecuteCode {
  std::string code{};
  static constexpr auto wire = fields(field<&ExecuteCode::code>("code", "Code for the notebook with the focus."));
};

// ---- answers: text that is JSON ----------------------------------------------------------------------------------------------------------

struct Done {  // an answer without further data
  bool success = true;
  std::optional<std::string> message{};
  static constexpr auto wire =
      fields(field<&Done::success>("success", doc::success), field<&Done::message>("message", "Result as text."));
};
struct FileOpened {
  bool success = true;
  std::string path{};
  std::optional<std::string> language{};
  std::optional<std::uint32_t> lines{};
  static constexpr auto wire =
      fields(field<&FileOpened::success>("success", doc::success), field<&FileOpened::path>("filePath", doc::file),
             field<&FileOpened::language>("languageId", "Language id of the editor, such as python."),
             field<&FileOpened::lines>("lineCount", "Number of lines in the file."));
};
struct SelectedRange {
  Position start{};
  Position end{};
  bool empty = true;
  static constexpr auto wire =
      fields(field<&SelectedRange::start>("start", "First position of the selection."),
             field<&SelectedRange::end>("end", "Position after the last character of the selection."),
             field<&SelectedRange::empty>("isEmpty", "True: nothing is selected, and both positions are the cursor."));
};
struct Selection {
  bool success = true;
  std::string text{};
  std::string path{};
  std::string url{};
  SelectedRange range{};
  static constexpr auto wire =
      fields(field<&Selection::success>("success", doc::success), field<&Selection::text>("text", "The selected text."),
             field<&Selection::path>("filePath", doc::file), field<&Selection::url>("fileUrl", "Address of the file as file://…"),
             field<&Selection::range>("selection", "Range of the selection."));
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
      field<&Tab::uri>("uri", "URI of the document in the tab."), field<&Tab::active>("isActive", "True: the tab has the focus."),
      field<&Tab::pinned>("isPinned", "True: the tab is pinned."),
      field<&Tab::dirty>("isDirty", "True: the document has unsaved changes."), field<&Tab::label>("label", "Label of the tab."),
      field<&Tab::language>("languageId", "Language id of the editor, such as python."),
      field<&Tab::group>("groupIndex", "Number of the tab group, counted from 0."),
      field<&Tab::path>("fileName", "Absolute path of the file. Empty: the document has no file."));
};
struct Tabs {
  std::vector<Tab> tabs{};
  static constexpr auto wire = fields(field<&Tabs::tabs>("tabs", "All open tabs."));
};
struct Folder {
  std::string name{};
  std::string uri{};
  std::string path{};
  static constexpr auto wire =
      fields(field<&Folder::name>("name", "Name of the folder for people."),
             field<&Folder::uri>("uri", "URI of the folder as file://…"), field<&Folder::path>("path", doc::file));
};
struct Folders {
  bool success = true;
  std::vector<Folder> folders{};
  std::string root{};
  static constexpr auto wire =
      fields(field<&Folders::success>("success", doc::success), field<&Folders::folders>("folders", "Folders of the window."),
             field<&Folders::root>("rootPath", "Absolute path of the first folder. Empty: the window has no folder."));
};
struct Diagnostic {
  std::string message{};
  std::string severity{};
  Range range{};
  std::optional<std::string> source{};
  std::optional<std::string> code{};
  static constexpr auto wire = fields(field<&Diagnostic::message>("message", "Text of the problem."),
                                      field<&Diagnostic::severity>("severity", "Severity: Error, Warning, Info or Hint."),
                                      field<&Diagnostic::range>("range", "Range of the problem in the file."),
                                      field<&Diagnostic::source>("source", "Program that reports the problem."),
                                      field<&Diagnostic::code>("code", "Code of the problem in that program."));
};
struct FileDiagnostics {
  std::string uri{};
  std::vector<Diagnostic> diagnostics{};
  static constexpr auto wire = fields(field<&FileDiagnostics::uri>("uri", "URI of the file as file://…"),
                                      field<&FileDiagnostics::diagnostics>("diagnostics", "Problems of the file."));
};
struct DocumentState {
  bool success = true;
  std::string path{};
  bool dirty = false;
  bool untitled = false;
  static constexpr auto wire =
      fields(field<&DocumentState::success>("success", doc::success), field<&DocumentState::path>("filePath", doc::file),
             field<&DocumentState::dirty>("isDirty", "True: the document has unsaved changes."),
             field<&DocumentState::untitled>("isUntitled", "True: the document has never been saved."));
};
struct Saved {
  bool success = true;
  std::string path{};
  bool saved = true;
  std::string message{};
  static constexpr auto wire = fields(field<&Saved::success>("success", doc::success), field<&Saved::path>("filePath", doc::file),
                                      field<&Saved::saved>("saved", "True: the file is saved on disk."),
                                      field<&Saved::message>("message", "Result as text."));
};

// ---- notices -----------------------------------------------------------------------------------------------------------------------------

struct SelectionChanged {
  std::string text{};
  std::optional<std::string> path{};
  std::optional<std::string> url{};
  std::optional<SelectedRange> range{};
  static constexpr auto wire = fields(
      field<&SelectionChanged::text>("text", "The selected text. Empty: nothing is selected."),
      field<&SelectionChanged::path>("filePath", "Absolute path of the file with the focus. Absent: no file has the focus."),
      field<&SelectionChanged::url>("fileUrl", "Address of the file as file://…"),
      field<&SelectionChanged::range>("selection", "Range of the selection. Absent: no file has the focus."));
};
struct AtMentioned {
  std::string path{};
  std::optional<std::uint32_t> first{};
  std::optional<std::uint32_t> last{};
  static constexpr auto wire = fields(field<&AtMentioned::path>("filePath", doc::file),
                                      field<&AtMentioned::first>("lineStart", "First line, counted from 0."),
                                      field<&AtMentioned::last>("lineEnd", "Last line, counted from 0, this line included."));
};

struct IdeConnected {
  std::optional<std::int64_t> process{};
  static constexpr auto wire = fields(field<&IdeConnected::process>("pid", "Process id of the CLI."));
};

inline constexpr auto notices = wire::methods(
    wire::notice<SelectionChanged>("selection_changed", "Reports a change of the focused file or of the selection."),
    wire::notice<AtMentioned>("at_mentioned", "Reports lines that the person wants to add to the prompt."),
    wire::notice<IdeConnected>("ide_connected", "The CLI reports that it is connected."));
inline constexpr const auto& selection_changed = wire::method<notices, "selection_changed">;
inline constexpr const auto& at_mentioned = wire::method<notices, "at_mentioned">;
inline constexpr const auto& ide_connected = wire::method<notices, "ide_connected">;

// ---- tools -------------------------------------------------------------------------------------------------------------------------------

inline constexpr auto tools = wire::methods(
    wire::call<OpenFile, FileOpened>("openFile", "Opens a file in the editor, optionally at a given text."),
    wire::call<OpenDiff, Nothing>("openDiff",
                                  "Shows a change and waits for the person. Returns FILE_SAVED with the person's content, or "
                                  "DIFF_REJECTED with the name of the tab."),
    wire::call<Nothing, Selection>("getCurrentSelection", "Returns the selection of the editor with the focus."),
    wire::call<Nothing, Selection>("getLatestSelection", "Returns the latest selection, also after the focus has moved."),
    wire::call<Nothing, Tabs>("getOpenEditors", "Lists the open tabs."),
    wire::call<Nothing, Folders>("getWorkspaceFolders", "Lists the folders of the window."),
    wire::call<DiagnosticsOf, std::vector<FileDiagnostics>>("getDiagnostics",
                                                            "Returns the errors and warnings that the editor shows."),
    wire::call<OneFile, DocumentState>("checkDocumentDirty", "Reports whether a file has unsaved changes."),
    wire::call<OneFile, Saved>("saveDocument", "Saves an open file."),
    wire::call<CloseTab, Nothing>("close_tab", "Closes a shown change. Returns TAB_CLOSED."),
    wire::call<Nothing, Nothing>("closeAllDiffTabs", "Closes all shown changes. Returns CLOSED_2_DIFF_TABS, for example."),
    wire::call<ExecuteCode, Done>("executeCode", "Runs code in a notebook if the editor has one."));

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
