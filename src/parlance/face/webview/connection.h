// SPDX-License-Identifier: Apache-2.0
// A webview's connection: its shown conversation, sent state, and requests. Messages take effect in order of arrival; only
// read-only requests run in parallel. Loop thread only; all arguments must outlive the object.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parlance/async/scope.h"
#include "parlance/face/webview/answers.h"
#include "parlance/face/webview/chunks.h"
#include "parlance/face/webview/files.h"
#include "parlance/face/webview/settings.h"
#include "parlance/hub/follower.h"
#include "parlance/hub/user_hub.h"
#include "parlance/protocol/webview/messages.h"
#include "parlance/transport/frames.h"
#include "parlance/workspace/file_names.h"
#include "parlance/workspace/folder_check.h"

namespace parlance::face {

class WebviewConnection {
 public:
  WebviewConnection(Loop& loop, hub::UserHub hub, WebviewPeer peer, const WebviewSettings& settings,
                    WebviewStatistics& statistics, std::unique_ptr<Frames> frames);

  Task<void> read_all();

 private:
  using Done = Task<Result<void>>;

  // ---- input (connection.cpp)
  Task<void> take(BytesView frame);
  template <class Message>
  Task<void> answer(Message message);
  void send(const webview::HostMessage& message);
  void send_chunk(webview::StreamChunk chunk);
  void fail_message(std::string_view of, const Error& error);

  // ---- output (connection.cpp)
  Task<void> show(std::string conversation);  // empty: none
  void send_state(std::optional<std::vector<webview::Message>> messages);
  Task<void> follow();
  bool anything() const;
  Task<void> tell_events();
  void tell(const hub::Event& event);
  bool told_itself(const hub::event::UserMessage& said);
  std::optional<webview::RequestId> request_of(const hub::Ask& ask);
  std::string newest() const;

  // ---- requests (requests.cpp)
  Done perform(webview::Ready& m);
  Done perform(webview::RecheckCli& m);
  Done perform(webview::PickFiles& m);
  Done perform(webview::ListWorkspaceFiles& m);
  Done perform(webview::SearchFiles& m);
  Done perform(webview::ReadFiles& m);
  Done perform(webview::OpenFile& m);
  Done perform(webview::SendMessage& m);
  Done perform(webview::ToolApproval& m);
  Done perform(webview::QuestionAnswer& m);
  Done perform(webview::PlanAnswer& m);
  Done perform(webview::CancelCurrent& m);
  Done perform(webview::NewConversation& m);
  Done perform(webview::SwitchConversation& m);
  Done perform(webview::DeleteConversation& m);
  Done perform(webview::ClearConversation& m);
  Done perform(webview::SetMode& m);
  Done perform(webview::SetThink& m);
  Done perform(webview::SetModel& m);
  Done perform(webview::SetWorkspaceFolder& m);
  Done perform(webview::IdeContextChanged& m);
  Done perform(webview::PickedFiles& m);
  Done perform(webview::WorkspaceFolders& m);

  Done set(hub::ConversationChanges changes);
  Done find_files(std::string query);
  Done send_prompt(std::string text, std::vector<hub::Attachment> attachments, std::vector<hub::PromptContext> context);
  Done answer_synthetic(webview::PlanOption option, std::string feedback);
  Done give(const hub::Ask& ask, WebviewAnswer answer);
  Result<hub::Ask> asked(webview::RequestId request) const;
  Task<Result<std::string>> begin(std::string agent, std::string folder);
  std::string folder_for_new() const;
  // Folders for searches and reads of this webview: none for a conversation on a runner.
  WebviewFiles::Folders folders_here() const;
  Result<void> check_files() const;                        // denied: the caller may only read the shown conversation
  Result<void> check_editor(std::string_view what) const;  // denied: not the editor of the person of this machine
  const hub::Conversation* current_row() const { return hub_.find(current_); }

  Loop& loop_;
  hub::UserHub hub_;
  const WebviewPeer peer_;
  const WebviewSettings& settings_;
  WebviewStatistics& statistics_;
  std::unique_ptr<Frames> frames_;
  workspace::FolderCheck folder_check_;
  workspace::FileNames names_;
  WebviewFiles files_;

  bool ready_ = false;
  bool code_chunks_ = false;
  std::string current_;        // the shown conversation; empty: none yet
  std::uint64_t showing_ = 0;  // number of changes of the shown conversation
  std::optional<WebviewChunks> chunks_;
  std::shared_ptr<hub::Follower> follower_;
  std::vector<std::string> own_;                        // messages of this webview without a turn so far
  std::map<webview::RequestId, std::string> requests_;  // to asks
  webview::RequestId last_request_ = 0;
  bool synthetic_open_ = false;
  std::string kept_plan_;  // the turn with an answered plan without a request

  // The editor's context, and settings for the first conversation.
  webview::IdeContext context_;
  std::vector<std::string> workspace_folders_;
  hub::ConversationChanges wanted_;
  std::string wanted_folder_;

  Signal news_;
  std::unique_ptr<hub::Watcher> watcher_;
  bool state_due_ = false;
  std::string state_told_;
  TimePoint state_at_{};
  Scope::Handle following_;
  Scope scope_;  // destroyed first
};

}  // namespace parlance::face
