// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/editor/editor.h"

namespace parlance::hub {

using namespace editor;

std::unexpected<Error> Editor::cannot(std::string_view method) const {
  return fail(Errc::unknown_method, "Unknown method: " + std::string(method));
}

Task<Result<void>> Editor::ping() { co_return cannot("ping"); }
Task<Result<File>> Editor::active_file() { co_return cannot("getActiveFile"); }
Task<Result<Selected>> Editor::selection() { co_return cannot("getSelection"); }
Task<Result<Selected>> Editor::latest_selection() { co_return cannot("getLatestSelection"); }
Task<Result<std::vector<OpenEditor>>> Editor::open_editors() { co_return cannot("getOpenEditors"); }
Task<Result<std::string>> Editor::workspace_folder() { co_return cannot("getWorkspaceFolder"); }
Task<Result<Folders>> Editor::workspace_folders() { co_return cannot("getWorkspaceFolders"); }
Task<Result<Diagnostics>> Editor::diagnostics(std::optional<std::string>, std::optional<Severity>) {
  co_return cannot("getDiagnostics");
}
Task<Result<DocumentState>> Editor::document_state(std::string) { co_return cannot("checkDocumentDirty"); }
Task<Result<Document>> Editor::read_document(std::string, std::optional<std::uint32_t>, std::optional<std::uint32_t>) {
  co_return cannot("readDocument");
}
Task<Result<void>> Editor::save_document(std::string) { co_return cannot("saveDocument"); }
Task<Result<void>> Editor::open_file(OpenFile) { co_return cannot("openFile"); }
Task<Result<DiffOutcome>> Editor::open_diff(OpenDiff) { co_return cannot("openDiff"); }
Task<Result<void>> Editor::show_diff(ShowDiff) { co_return cannot("showDiff"); }
Task<Result<void>> Editor::close_diff(std::optional<std::string>) { co_return cannot("closeDiff"); }
Task<Result<std::uint32_t>> Editor::close_all_diffs() { co_return cannot("closeAllDiffs"); }
Task<Result<void>> Editor::apply_changes(ApplyChanges) { co_return cannot("applyChanges"); }
Task<Result<Applied>> Editor::apply_edits(ApplyEdits) { co_return cannot("applyEdits"); }
Task<Result<std::optional<std::string>>> Editor::confirm(ConfirmDialog) { co_return cannot("confirmDialog"); }
Task<Result<void>> Editor::show_message(Level, std::string) { co_return cannot("showMessage"); }
Task<Result<std::vector<AddedMethod>>> Editor::added_methods() { co_return cannot("getAddedMethods"); }
Task<Result<std::string>> Editor::call_added(std::string, std::string) { co_return cannot("callAddedMethod"); }

namespace {

class AbsentEditor final : public Editor {
  std::unexpected<Error> cannot(std::string_view) const override { return fail(Errc::not_found, "No editor is connected"); }
};

// The project of the bridge's mock mode. Its selection ends at character 49, nine behind its text: kept, because programs compare
// the value.
class MockEditor final : public Editor {
 public:
  Task<Result<void>> ping() override { co_return Result<void>{}; }
  Task<Result<File>> active_file() override {
    co_return File{
        .path = "/path/to/project/src/main.cpp",
        .content = "#include <iostream>\n\nint main() {\n    std::cout << \"Hello World\" << std::endl;\n    return 0;\n}\n",
        .language = "cpp",
        .lines = 7};
  }
  Task<Result<Selected>> selection() override {
    co_return Selected{.text = "std::cout << \"Hello World\" << std::endl;",
                       .range = {.start = {.line = 3, .character = 4}, .end = {.line = 3, .character = 49}}};
  }
  Task<Result<std::string>> workspace_folder() override { co_return "/path/to/project"; }
  Task<Result<void>> show_diff(ShowDiff) override { co_return Result<void>{}; }
  Task<Result<void>> apply_changes(ApplyChanges) override { co_return Result<void>{}; }
  Task<Result<void>> open_file(OpenFile) override { co_return Result<void>{}; }
};

}  // namespace

std::unique_ptr<Editor> absent_editor() { return std::make_unique<AbsentEditor>(); }
std::unique_ptr<Editor> mock_editor() { return std::make_unique<MockEditor>(); }

}  // namespace parlance::hub
