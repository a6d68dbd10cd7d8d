// SPDX-License-Identifier: Apache-2.0
// An editor as agents see it: open files, selections, diagnostics, and dialogs with the person at the editor. Each method is a
// method of the editor bridge. Loop thread only.
//
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
#include "parlance/hub/editor/values.h"

namespace parlance::hub {

// Methods without an override return unknown_method.
class Editor {
 public:
  virtual ~Editor() = default;

  // Succeeds at once while the editor answers.
  virtual Task<Result<void>> ping();
  // The file with the focus, with unsaved changes.
  virtual Task<Result<editor::File>> active_file();
  // The selection in the file with the focus; without a selection, the cursor.
  virtual Task<Result<editor::Selected>> selection();
  virtual Task<Result<editor::Selected>> latest_selection();  // the last selection with text, independent of the focus
  // All tabs of the window, in their order.
  virtual Task<Result<std::vector<editor::OpenEditor>>> open_editors();
  virtual Task<Result<std::string>> workspace_folder();  // the first folder
  // All folders of the window, and the person's trust in them.
  virtual Task<Result<editor::Folders>> workspace_folders();
  // `path` absent: all files.
  virtual Task<Result<editor::Diagnostics>> diagnostics(std::optional<std::string> path,
                                                        std::optional<editor::Severity> severity);
  // Whether an open document has unsaved changes or no file yet.
  virtual Task<Result<editor::DocumentState>> document_state(std::string path);
  // Lines count from 1, `last` is inclusive; absent: begin and end of the file.
  virtual Task<Result<editor::Document>> read_document(std::string path, std::optional<std::uint32_t> first,
                                                       std::optional<std::uint32_t> last);
  // Writes the editor's buffer to the file.
  virtual Task<Result<void>> save_document(std::string path);
  // Shows the file to the person, at a line if the request names one.
  virtual Task<Result<void>> open_file(editor::OpenFile request);

  // Waits for the person without a time limit. Destroying the task withdraws the proposal.
  virtual Task<Result<editor::DiffOutcome>> open_diff(editor::OpenDiff request);
  // Shows a change and returns at once, without the person's decision.
  virtual Task<Result<void>> show_diff(editor::ShowDiff request);
  virtual Task<Result<void>> close_diff(std::optional<std::string> path);  // absent: the newest
  virtual Task<Result<std::uint32_t>> close_all_diffs();                   // number of closed proposals
  // After the person's approval in the editor. failed: "Rejected by user", "Old string not found in file", …
  virtual Task<Result<void>> apply_changes(editor::ApplyChanges request);
  // Changes several files after one approval, as one undo step.
  virtual Task<Result<editor::Applied>> apply_edits(editor::ApplyEdits request);
  // The chosen option's id; none: dismissed. Waits for the person.
  virtual Task<Result<std::optional<std::string>>> confirm(editor::ConfirmDialog request);
  // Returns at once, before the person reads the message.
  virtual Task<Result<void>> show_message(editor::Level level, std::string message);
  // The methods that other extensions of the editor offer now.
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
