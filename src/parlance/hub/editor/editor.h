// SPDX-License-Identifier: Apache-2.0
// An editor as agents see it: what is open and selected there, what is wrong in it, and what can be shown to the person who sits before
// it. One method each of the editor bridge. Loop thread only.
//
// Paths are absolute. Positions count from 0, characters in units of UTF-16; only OpenFile::line counts from 1, as editors of the bridge
// have always taken it.
// Errors: failed, with the editor's own words, when it cannot do it now ("No active file"); unknown_method when it does not know the
// call; disconnected when it has gone; absent_editor answers everything with not_found.
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
  std::string text{};                 // empty: both ends are the cursor
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
  bool truncated = false;  // there are more than an editor tells at once
};
struct DocumentState {
  bool dirty = false;
  bool untitled = false;
};
struct Document {
  std::string content{};  // of the editor, with what is not saved yet
  std::uint64_t version = 0;
  bool dirty = false;
};
// A proposal that waits for the person.
struct OpenDiff {
  std::string path{};
  std::string new_content{};
  std::string title{};
};
struct DiffOutcome {
  bool accepted = false;
  std::string content{};  // accepted: as it is now
  bool edited = false;    // … which the person has changed
  std::string reason{};   // rejected: "button", "closed", "cancelled"
};
struct ShowDiff {  // shown, not waited for
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
struct ApplyEdits {  // one step to undo, over several files, after one approval
  std::string label{};
  std::vector<FileEdit> edits{};
  std::optional<std::uint64_t> version{};  // refused when the document is another by now
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
// What another extension of the person has added to their editor.
struct AddedMethod {
  std::string name{};
  std::string description{};
  std::string parameters_json{};  // a JSON Schema; empty: it does not say
  bool read_only = false;
};

}  // namespace editor

// What an editor does not override it does not know.
class Editor {
 public:
  virtual ~Editor() = default;

  virtual Task<Result<void>> ping();
  virtual Task<Result<editor::File>> active_file();
  virtual Task<Result<editor::Selection>> selection();
  virtual Task<Result<editor::Selection>> latest_selection();  // not empty, wherever the focus is now
  virtual Task<Result<std::vector<editor::OpenEditor>>> open_editors();
  virtual Task<Result<std::string>> workspace_folder();  // the first
  virtual Task<Result<editor::Folders>> workspace_folders();
  // `path` absent: of all files.
  virtual Task<Result<editor::Diagnostics>> diagnostics(std::optional<std::string> path,
                                                        std::optional<editor::Severity> severity);
  virtual Task<Result<editor::DocumentState>> document_state(std::string path);
  // Lines from 1, the last one with it; absent: to the ends.
  virtual Task<Result<editor::Document>> read_document(std::string path, std::optional<std::uint32_t> first,
                                                       std::optional<std::uint32_t> last);
  virtual Task<Result<void>> save_document(std::string path);
  virtual Task<Result<void>> open_file(editor::OpenFile request);

  // Waits for the person, without an end. Destroying the task takes the proposal back.
  virtual Task<Result<editor::DiffOutcome>> open_diff(editor::OpenDiff request);
  virtual Task<Result<void>> show_diff(editor::ShowDiff request);
  virtual Task<Result<void>> close_diff(std::optional<std::string> path);  // absent: the newest
  virtual Task<Result<std::uint32_t>> close_all_diffs();                   // how many
  // After the person's approval in the editor. failed: "Rejected by user", "Old string not found in file", …
  virtual Task<Result<void>> apply_changes(editor::ApplyChanges request);
  virtual Task<Result<editor::Applied>> apply_edits(editor::ApplyEdits request);
  // The chosen option's id; none: dismissed. Waits for the person.
  virtual Task<Result<std::optional<std::string>>> confirm(editor::ConfirmDialog request);
  virtual Task<Result<void>> show_message(editor::Level level, std::string message);
  virtual Task<Result<std::vector<editor::AddedMethod>>> added_methods();
  // What it answered, as JSON. It may wait for the person. failed: what it says that it cannot do; unknown_method: nobody has added it.
  virtual Task<Result<std::string>> call_added(std::string method, std::string params_json);

 protected:
  virtual std::unexpected<Error> cannot(std::string_view method) const;  // unknown_method, "Unknown method: NAME"
};

// No editor: every call is not_found, "No editor is connected".
std::unique_ptr<Editor> absent_editor();
// Answers from fixed data, the same each time, for tests and for a terminal outside an editor; what it has no data for is
// unknown_method, "Unknown method: NAME".
std::unique_ptr<Editor> mock_editor();

}  // namespace parlance::hub
