// SPDX-License-Identifier: Apache-2.0
// The editor of a webview: its context, its open folders, its picked files, and the requests about files. An editor of the person of
// this machine decides about readable files; for any other webview only folders of the shown conversation count. Loop thread only;
// all arguments must outlive the object, and the object its tasks.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parlance/face/webview/files.h"
#include "parlance/face/webview/settings.h"
#include "parlance/face/webview/shown_conversation.h"
#include "parlance/protocol/webview/messages.h"
#include "parlance/workspace/file_names.h"

namespace parlance::face {

class WebviewEditor {
 public:
  WebviewEditor(Loop& loop, hub::UserHub hub, WebviewPeer peer, const WebviewSettings& settings, ShownConversation& shown,
                Frames& webview);

  using Done = Task<Result<void>>;
  Done perform(webview::PickFiles& m);
  Done perform(webview::ListWorkspaceFiles& m);
  Done perform(webview::SearchFiles& m);
  Done perform(webview::ReadFiles& m);
  Done perform(webview::OpenFile& m);
  Done perform(webview::IdeContextChanged& m);
  Done perform(webview::PickedFiles& m);
  Done perform(webview::WorkspaceFolders& m);

  const webview::IdeContext& context() const { return context_; }
  // Folder of a new conversation: the chosen folder, else the workspace folder of the active file, else the first.
  std::string folder_for_new() const;
  void choose_folder(std::string folder) { chosen_folder_ = std::move(folder); }  // empty: none
  // Attachments of a prompt. Errors: denied, and errors of WebviewFiles::attach.
  Task<Result<WebviewFiles::Attached>> attach(std::vector<webview::AttachedFile> files);

 private:
  Done find_files(std::string query);
  // Folders for searches and reads of this webview: none for a conversation on a runner.
  WebviewFiles::Folders folders_here() const;
  Result<void> check_files() const;                        // denied: the caller may only read the shown conversation
  Result<void> check_editor(std::string_view what) const;  // denied: not the editor of the person of this machine

  hub::UserHub hub_;
  const WebviewPeer peer_;
  const WebviewSettings& settings_;
  ShownConversation& shown_;
  Frames& webview_;
  workspace::FileNames names_;
  WebviewFiles files_;
  webview::IdeContext context_;
  std::string chosen_folder_;
};

}  // namespace parlance::face
