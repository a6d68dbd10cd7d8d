// SPDX-License-Identifier: Apache-2.0
// Values of an editor, for agents and for the editor bridge (protocol/editor describes their form on the wire). Paths are absolute.
// Positions count from 0, characters in units of UTF-16; only OpenFile::line counts from 1. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parlance::hub::editor {

struct Position {
  std::uint32_t line = 0;
  std::uint32_t character = 0;
  friend bool operator==(const Position&, const Position&) = default;
};
// From the first position to the position behind the last character.
struct Range {
  Position start{};
  Position end{};
  friend bool operator==(const Range&, const Range&) = default;
};
// An open document, unsaved changes included; `language` is the editor's id, such as "python".
struct File {
  std::string path{};
  std::string content{};
  std::string language{};
  std::uint32_t lines = 0;
};
// A selection in a document, or the cursor.
struct Selected {
  std::optional<std::string> path{};  // latest_selection only
  std::string text{};                 // empty: a cursor; both ends are equal
  Range range{};
};
// A tab of the window. `dirty`: unsaved changes; `group`: number of the editor column.
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
  bool trusted = false;  // by the person
};
enum class Severity : std::uint8_t { error, warning, information, hint };
struct Diagnostic {
  std::string message{};
  Severity severity = Severity::error;
  Range range{};
  std::string source{};
  std::string code{};  // of the problem in the program `source`; may be empty
};
// The problems of one file, in the editor's order.
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
  bool untitled = false;  // never saved: the path names no file
};
struct Document {
  std::string content{};      // the editor's buffer, unsaved changes included
  std::uint64_t version = 0;  // for ApplyEdits::version
  bool dirty = false;
};
// A proposal for the person's approval.
struct OpenDiff {
  std::string path{};
  std::string new_content{};
  std::string title{};
};
// The person's decision about an OpenDiff.
struct DiffOutcome {
  bool accepted = false;
  std::string content{};  // accepted: the final content
  bool edited = false;    // accepted: the person changed the content
  std::string reason{};   // rejected: "button", "closed", "cancelled"
};
struct ShowDiff {  // does not wait for a decision
  std::string title{};
  std::string path{};
  std::string new_content{};
};
// The old text must occur exactly once, unless `replace_all` is set.
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
// The edits of one file. All ranges refer to the document before the edits.
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
// `files`: the absolute paths of the changed files; empty if nothing was applied.
struct Applied {
  bool applied = false;
  std::vector<std::string> files{};
};
// A button. `is_default`: the Enter key selects it; `dangerous`: its effect cannot be undone.
struct DialogOption {
  std::string id{};
  std::string label{};
  bool is_default = false;
  bool dangerous = false;
};
// A question to the person at the editor, with its buttons.
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

}  // namespace parlance::hub::editor
