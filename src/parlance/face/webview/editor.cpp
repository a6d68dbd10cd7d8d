// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/webview/editor.h"

#include <utility>

#include "parlance/adapter/acp/prompt.h"
#include "parlance/base/text.h"
#include "parlance/base/utf8.h"
#include "parlance/face/webview/limits.h"
#include "parlance/face/webview/output.h"
#include "parlance/hub/conversation/conversation.h"

namespace parlance::face {
namespace {

using namespace webview;

constexpr std::string_view no_editor = "this webview runs outside an editor";

}  // namespace

WebviewEditor::WebviewEditor(Loop& loop, hub::UserHub hub, WebviewPeer peer, const WebviewSettings& settings,
                             ShownConversation& shown, Frames& webview)
    : hub_(std::move(hub)),
      peer_(peer),
      settings_(settings),
      shown_(shown),
      webview_(webview),
      names_(loop),
      files_(loop, settings.file_bytes, settings.state_folder) {}

// A network client may name unopened folders in `workspaceFolders` and `setWorkspaceFolder`. Such folders only set the folder of
// a new conversation; reads begin with the conversation.
WebviewFiles::Folders WebviewEditor::folders_here() const {
  const hub::Conversation* const row = shown_.conversation();
  WebviewFiles::Folders here{.of_conversation = row != nullptr};
  std::vector<std::string>& folders = here.paths;
  if (row != nullptr) {
    if (row->runner || !check_files()) return here;
    folders.push_back(row->folder);
    folders.insert(folders.end(), row->folders.begin(), row->folders.end());
  } else if (peer_ == WebviewPeer::network) {
    folders.push_back(settings_.default_folder);
  } else {
    folders.push_back(folder_for_new());
    folders.insert(folders.end(), shown_.workspace_folders().begin(), shown_.workspace_folders().end());
  }
  return here;
}

Result<void> WebviewEditor::check_files() const {
  const hub::Conversation* const row = shown_.conversation();
  if (row == nullptr || hub_.may(*row, hub::Permission::prompt)) return {};
  return fail(
      Errc::denied,
      "you may only read this conversation, so its files are closed to you: ask its user to open the conversation for the team");
}

Result<void> WebviewEditor::check_editor(std::string_view what) const {
  if (peer_ == WebviewPeer::this_machine) return {};
  return fail(Errc::denied, std::string(what) +
                                " is accepted only from an editor on the gateway's own machine, with the token of this machine: "
                                "begin a conversation in the folder to use its files");
}

// A relay with an editor answers these itself.
Task<Result<void>> WebviewEditor::perform(PickFiles&) {
  send(webview_, {FilesPicked{}});
  co_return fail(Errc::unknown_method,
                 std::string(no_editor) + " and cannot open a file picker: `searchFiles` finds the files of the folder");
}
Task<Result<void>> WebviewEditor::perform(OpenFile&) {
  co_return fail(Errc::unknown_method, std::string(no_editor) + " and cannot open a file");
}

// For a conversation on a runner: searches the runner. This machine never replaces the runner for searches or reads.
Task<Result<void>> WebviewEditor::find_files(std::string query) {
  PARLANCE_CO_TRY_DO(check_files());
  if (const hub::Conversation* const row = shown_.conversation(); row != nullptr && row->runner) {
    PARLANCE_CO_TRY(there, co_await hub_.find_files_of(row->id, {.typed = query}));
    send(webview_, {WorkspaceFiles{.query = std::move(query), .files = std::move(there.paths), .all = there.all}});
    co_return Result<void>{};
  }
  PARLANCE_CO_TRY(found, co_await names_.find({.folders = folders_here().paths}, query));
  send(webview_, {WorkspaceFiles{.query = std::move(query), .files = std::move(found.paths), .all = found.all}});
  co_return Result<void>{};
}
Task<Result<void>> WebviewEditor::perform(ListWorkspaceFiles& m) { return find_files(std::move(m.query)); }
Task<Result<void>> WebviewEditor::perform(SearchFiles& m) { return find_files(std::move(m.query)); }

Task<Result<void>> WebviewEditor::perform(ReadFiles& m) {
  PARLANCE_CO_TRY_DO(check_files());
  auto contents = co_await files_.read(std::move(m.paths), folders_here());
  send(webview_, {FileContents{.files = std::move(contents)}});
  co_return Result<void>{};
}

Task<Result<WebviewFiles::Attached>> WebviewEditor::attach(std::vector<AttachedFile> files) {
  PARLANCE_CO_TRY_DO(check_files());
  co_return co_await files_.attach(std::move(files), folders_here());
}

std::string WebviewEditor::folder_for_new() const {
  if (!chosen_folder_.empty()) return chosen_folder_;
  if (context_.active_file.state == wire::Nullable<ActiveFile>::State::value)
    for (const std::string& folder : shown_.workspace_folders())
      if (is_within(context_.active_file.value.path, folder)) return folder;
  return shown_.workspace_folders().empty() ? settings_.default_folder : shown_.workspace_folders().front();
}

Task<Result<void>> WebviewEditor::perform(IdeContextChanged& m) {
  context_ = std::move(m.context);
  if (context_.selection.state == wire::Nullable<Selection>::State::value) {
    std::string& text = context_.selection.value.text;
    text.resize(utf8_prefix(text, adapter::prompt_selection_bytes).size());  // sent back as a prompt would contain it
  }
  if (shown_.started()) send(webview_, {ContextUpdated{.context = context_}});
  co_return Result<void>{};
}

Task<Result<void>> WebviewEditor::perform(PickedFiles& m) {
  PARLANCE_CO_TRY_DO(check_editor("a list of picked files"));
  files_.picked(m.files);
  if (shown_.started()) send(webview_, {FilesPicked{.files = std::move(m.files)}});
  co_return Result<void>{};
}

Task<Result<void>> WebviewEditor::perform(WorkspaceFolders& m) {
  PARLANCE_CO_TRY_DO(check_editor("a list of open folders"));
  if (m.folders.size() > limits::webview_files) m.folders.resize(limits::webview_files);
  shown_.set_workspace_folders(std::move(m.folders));
  if (shown_.started()) shown_.send_state();
  co_return Result<void>{};
}

}  // namespace parlance::face
