// SPDX-License-Identifier: Apache-2.0
// A folder as an editor: replaces a real editor for a person or a test. Holds no unsaved text; changes files on disk after
// `decide` agrees. Files outside its folder, after following links, also need the agreement of `decide_outside`. Loop thread
// only; reads and writes files there.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/parlance/rehearse/scripted_methods.h"
#include "parlance/hub/editor/editor.h"

namespace parlance::app {

struct FolderEditorSettings {
  std::string folder;                                   // an absolute path
  std::string active{};                                 // the file in front, from the folder; "": none
  std::string selection{};                              // the selection: its first occurrence
  std::string problems{};                               // a file with a compiler's output, reported as diagnostics; "": none
  std::vector<ScriptedMethod> added{};                  // methods added by other extensions
  std::function<bool(const std::string& what)> decide;  // the person's decision about a change or a question
  std::function<bool(const std::string& question)> decide_outside = [](const std::string&) { return false; };
  std::function<void(const std::string& what)> report;  // receives a line about each effect that a person would see in the editor
};

class FolderEditor final : public hub::Editor {
 public:
  explicit FolderEditor(FolderEditorSettings settings);

  Task<Result<void>> ping() override;
  Task<Result<hub::editor::File>> active_file() override;
  Task<Result<hub::editor::Selected>> selection() override;
  Task<Result<hub::editor::Selected>> latest_selection() override;
  Task<Result<std::vector<hub::editor::OpenEditor>>> open_editors() override;
  Task<Result<std::string>> workspace_folder() override;
  Task<Result<hub::editor::Folders>> workspace_folders() override;
  Task<Result<hub::editor::Diagnostics>> diagnostics(std::optional<std::string> path,
                                                     std::optional<hub::editor::Severity> severity) override;
  Task<Result<hub::editor::DocumentState>> document_state(std::string path) override;
  Task<Result<hub::editor::Document>> read_document(std::string path, std::optional<std::uint32_t> first,
                                                    std::optional<std::uint32_t> last) override;
  Task<Result<void>> save_document(std::string path) override;
  Task<Result<void>> open_file(hub::editor::OpenFile request) override;
  Task<Result<hub::editor::DiffOutcome>> open_diff(hub::editor::OpenDiff request) override;
  Task<Result<void>> show_diff(hub::editor::ShowDiff request) override;
  Task<Result<void>> close_diff(std::optional<std::string> path) override;
  Task<Result<std::uint32_t>> close_all_diffs() override;
  Task<Result<void>> apply_changes(hub::editor::ApplyChanges request) override;
  Task<Result<hub::editor::Applied>> apply_edits(hub::editor::ApplyEdits request) override;
  Task<Result<std::optional<std::string>>> confirm(hub::editor::ConfirmDialog request) override;
  Task<Result<void>> show_message(hub::editor::Level level, std::string message) override;
  Task<Result<std::vector<hub::editor::AddedMethod>>> added_methods() override;
  Task<Result<std::string>> call_added(std::string method, std::string params_json) override;

 private:
  // Its real path. Errors: failed, "Rejected by user".
  Result<std::string> guarded(const std::string& path, std::string_view what) const;
  Result<std::string> text_of(const std::string& path) const;

  FolderEditorSettings settings_;
  std::string active_;
  std::vector<std::string> shown_;  // the paths of open diffs, the newest last
};

}  // namespace parlance::app
