// SPDX-License-Identifier: Apache-2.0
// An editor as agents see it: open files, selections, diagnostics, and dialogs with the person at the editor. Each method is a
// method of the editor bridge. Loop thread only.
//
// Paths are absolute. Positions count from 0, characters in units of UTF-16; only OpenFile::line counts from 1, as defined by the
// bridge.
// Errors: failed, with the editor's message, if the call is impossible now ("No active file"); unknown_method for an unsupported
// call; disconnected after the editor's end; absent_editor answers every call with not_found.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/base/result.h"

namespace parlance::hub {

namespace editor {

struct Position {
  std::uint32_t line = 0;
  std::uint32_t character = 0;
  friend bool operator==(const Position&, const Position&) = default;
};
struct Range {
  Position start{};
  Position end{};
  friend bool operator==(const Range&, const Range&) = default;
};
struct File {
  std::string path{};
  std::string content{};
  std::string language{};
  std::uint32_t lines = 0;
};
struct Selection {
  std::optional<std::string> path{};  // latest_selection only
  std::string text{};                 // empty: a cursor; both ends are equal
  Range range{};
};
struct OpenEditor {
  std::string path{};
  std::string uri{};
  std::string label{};
  std::string language{};
  bool active = false;
  bool dirty = false;
  bool pinned = false;
  std::uint32_t group = 0;
};
struct Folder {
  std::string name{};
  std::string path{};
  std::string uri{};
};
struct Folders {
  std::vector<Folder> folders{};
  bool trusted = false;
};
enum class Severity : std::uint8_t { error, warning, information, hint };
struct Diagnostic {
  std::string message{};
  Severity severity = Severity::error;
  Range range{};
  std::string source{};
  std::string code{};
};
struct FileDiagnostics {
  std::string path{};
  std::vector<Diagnostic> diagnostics{};
};
struct Diagnostics {
  std::vector<FileDiagnostics> files{};
  bool truncated = false;  // the editor's limit cut the list
};
struct DocumentState {
  bool dirty = false;
  bool untitled = false;
};
struct Document {
  std::string content{};  // the editor's buffer, unsaved changes included
  std::uint64_t version = 0;
  bool dirty = false;
};
// A proposal for the person's approval.
struct OpenDiff {
  std::string path{};
  std::string new_content{};
  std::string title{};
};
struct DiffOutcome {
  bool accepted = false;
  std::string content{};  // accepted: the final content
  bool edited = false;    // … changed by the person
  std::string reason{};   // rejected: "button", "closed", "cancelled"
};
struct ShowDiff {  // does not wait for a decision
  std::string title{};
  std::string path{};
  std::string new_content{};
};
struct ApplyChanges {
  std::string path{};
  std::string old_text{};
  std::string new_text{};
  bool replace_all = false;
};
struct OpenFile {
  std::string path{};
  std::optional<std::uint32_t> line{};    // from 1
  std::optional<std::uint32_t> column{};  // from 0
};
struct TextEdit {
  Range range{};
  std::string new_text{};
};
struct FileEdit {
  std::string path{};
  bool create = false;
  bool remove = false;
  std::optional<std::string> rename_to{};
  std::vector<TextEdit> edits{};
};
struct ApplyEdits {  // one undo step over several files, after one approval
  std::string label{};
  std::vector<FileEdit> edits{};
  std::optional<std::uint64_t> version{};  // refused if the document has another version
};
struct Applied {
  bool applied = false;
  std::vector<std::string> files{};
};
struct DialogOption {
  std::string id{};
  std::string label{};
  bool is_default = false;
  bool dangerous = false;
};
struct ConfirmDialog {
  std::string title{};
  std::string message{};
  std::optional<std::string> detail{};
  std::vector<DialogOption> options{};
};
enum class Level : std::uint8_t { info, warning, error };
// A method that another extension of the editor offers.
struct AddedMethod {
  std::string name{};
  std::string description{};
  std::string parameters_json{};  // a JSON Schema; empty: unknown
  bool read_only = false;
};

}  // namespace editor

// Methods without an override return unknown_method.
class Editor {
 public:
  virtual ~Editor() = default;

  virtual Task<Result<void>> ping();
  virtual Task<Result<editor::File>> active_file();
  virtual Task<Result<editor::Selection>> selection();
  virtual Task<Result<editor::Selection>> latest_selection();  // the last selection with text, independent of the focus
  virtual Task<Result<std::vector<editor::OpenEditor>>> open_editors();
  virtual Task<Result<std::string>> workspace_folder();  // the first folder
  virtual Task<Result<editor::Folders>> workspace_folders();
  // `path` absent: all files.
  virtual Task<Result<editor::Diagnostics>> diagnostics(std::optional<std::string> path,
                                                        std::optional<editor::Severity> severity);
  virtual Task<Result<editor::DocumentState>> document_state(std::string path);
  // Lines count from 1, `last` is inclusive; absent: begin and end of the file.
  virtual Task<Result<editor::Document>> read_document(std::string path, std::optional<std::uint32_t> first,
                                                       std::optional<std::uint32_t> last);
  virtual Task<Result<void>> save_document(std::string path);
  virtual Task<Result<void>> open_file(editor::OpenFile request);

  // Waits for the person without a time limit. Destroying the task withdraws the proposal.
  virtual Task<Result<editor::DiffOutcome>> open_diff(editor::OpenDiff request);
  virtual Task<Result<void>> show_diff(editor::ShowDiff request);
  virtual Task<Result<void>> close_diff(std::optional<std::string> path);  // absent: the newest
  virtual Task<Result<std::uint32_t>> close_all_diffs();                   // number of closed proposals
  // After the person's approval in the editor. failed: "Rejected by user", "Old string not found in file", …
  virtual Task<Result<void>> apply_changes(editor::ApplyChanges request);
  virtual Task<Result<editor::Applied>> apply_edits(editor::ApplyEdits request);
  // The chosen option's id; none: dismissed. Waits for the person.
  virtual Task<Result<std::optional<std::string>>> confirm(editor::ConfirmDialog request);
  virtual Task<Result<void>> show_message(editor::Level level, std::string message);
  virtual Task<Result<std::vector<editor::AddedMethod>>> added_methods();
  // The answer as JSON. May wait for the person. failed: with the extension's message; unknown_method: no extension offers it.
  virtual Task<Result<std::string>> call_added(std::string method, std::string params_json);

 protected:
  virtual std::unexpected<Error> cannot(std::string_view method) const;  // unknown_method, "Unknown method: NAME"
};

// No editor: every call is not_found, "No editor is connected".
std::unique_ptr<Editor> absent_editor();
// Fixed answers for tests, and for a terminal outside an editor. A call without data returns unknown_method, "Unknown method:
// NAME".
std::unique_ptr<Editor> mock_editor();

}  // namespace parlance::hub
